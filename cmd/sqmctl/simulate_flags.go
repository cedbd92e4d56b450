package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/sim"
)

func simulateFlags() []cli.Flag {
	line := []cli.Flag{
		&cli.StringFlag{Name: "rate", Value: "20mbit", Usage: "the line's `RATE`"},
		&cli.StringFlag{Name: "buffer", Value: "512KiB", Usage: "the modem's queue, for a download the provider's: a `SIZE` in bytes of the line, or in packets as 100p"},
		&cli.StringFlag{Name: "type", Value: "ethernet", Usage: "what the line adds to a packet: a `TYPE` of «sqmctl types»"},
		&cli.DurationFlag{Name: "rtt", Value: 24 * time.Millisecond, Usage: "round-trip `TIME` without any queue"},
		&cli.StringFlag{Name: "wobble", DefaultText: "off", Usage: "let the line's rate vary by so many `PERCENT` up and down, as 15%"},
		&cli.StringFlag{Name: "wobble-shape", Value: "sine", Usage: "the `FORM` in which it varies: sine, triangle, or step (down once, after a period)"},
		&cli.DurationFlag{Name: "wobble-period", Value: 10 * time.Second, Usage: "the `TIME` of a period"},
		&cli.StringFlag{Name: "trace", DefaultText: "off", Usage: "let the rate follow a recording: `FILE` has a fraction of --rate a line, as 0.8, and starts again at its end"},
		&cli.DurationFlag{Name: "trace-interval", Value: time.Second, Usage: "`TIME` that a line of the recording stands for"},
		&cli.StringFlag{Name: "reverse-rate", DefaultText: "no limit", Usage: "`RATE` of the other direction, which carries the acknowledgements"},
		&cli.StringFlag{Name: "reverse-buffer", DefaultText: "as --buffer", Usage: "the queue in front of it: a `SIZE` as for --buffer"},
	}
	router := []cli.Flag{
		&cli.StringFlag{Name: "qdisc", Value: "pfifo_fast", Usage: "the router's queue `DISCIPLINE`: " + wordList(sim.Qdiscs)},
		&cli.StringFlag{Name: "shaper", Value: "off", Usage: "`RATE` of the shaper, also as a percentage of the line's: 98%; or off"},
		&cli.StringFlag{Name: "count", DefaultText: "wire for cake, else frame", Usage: "what the shaper charges a packet with: its `SIZE` on the wire, or its frame (IP packet and 14 bytes)"},
		&cli.IntFlag{Name: "limit", DefaultText: "as Linux has it", Usage: "`LENGTH` of the qdisc's queue in packets, for bfifo in bytes; not for cake"},
		&cli.BoolFlag{Name: "ingress", Usage: "cake's keyword for a download: packets that it drops are charged too", DisableDefaultText: true},
		&cli.StringFlag{Name: "switch", DefaultText: "off", Usage: "change the qdisc in mid-run: `QDISC@TIME` as codel@3s, several with a comma between"},
	}
	traffic := []cli.Flag{
		&cli.StringFlag{Name: "direction", Value: "upload", Usage: "`DIRECTION` of the transfers: upload, download or both"},
		&cli.IntFlag{Name: "flows", Value: 1, Usage: "`NUMBER` of transfers, beside a call"},
		&cli.StringFlag{Name: "cc", Value: string(sim.Cubic), Usage: "their congestion `CONTROL`: " + wordList(sim.Congestions)},
		&cli.StringFlag{Name: "slow-start", Value: string(sim.HyStart), Usage: "how cubic ends slow start, a `WAY` of " + wordList(sim.SlowStarts)},
		&cli.BoolFlag{Name: "ecn", Usage: "transfers and qdisc speak ECN", DisableDefaultText: true},
		&cli.DurationFlag{Name: "duration", Value: 60 * time.Second, Usage: "simulated `TIME`"},
		&cli.DurationFlag{Name: "warmup", Value: 10 * time.Second, Usage: "`TIME` at the beginning that counts only as start-up"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "another `NUMBER` is another run of the same"},
	}
	return append(append(line, router...), traffic...)
}

// wordList is the words of a kind, for people.
func wordList[T ~string](all []T) string {
	list := make([]string, len(all))
	for i, w := range all {
		list[i] = string(w)
	}
	return strings.Join(list, ", ")
}

// oneOf is an option's value if it is one of the words.
func oneOf[T ~string](c *cli.Context, option string, all ...T) (T, error) {
	value := c.String(option)
	var list []string
	for _, w := range all {
		if string(w) == value {
			return w, nil
		}
		list = append(list, string(w))
	}
	hint := "write one of " + strings.Join(list, ", ")
	if near := linklayer.Nearest(value, list); near != "" {
		hint = fmt.Sprintf("write --%s %s, or another one of %s", option, near, strings.Join(list, ", "))
	}
	return "", &usageError{text: fmt.Sprintf("--%s %q is unknown", option, value), hint: hint}
}

// within refuses a number outside its bounds.
func within(c *cli.Context, option string, low, high int) (int, error) {
	n := c.Int(option)
	if n < low || n > high {
		return 0, &usageError{text: fmt.Sprintf("--%s %d is outside %d to %d", option, n, low, high), hint: "run: sqmctl " + c.Command.Name + " --help"}
	}
	return n, nil
}

// timeWithin refuses a time outside its bounds.
func timeWithin(c *cli.Context, option string, low, high time.Duration) (time.Duration, error) {
	t := c.Duration(option)
	if t < low || t > high {
		return 0, &usageError{text: fmt.Sprintf("--%s %s is outside %s to %s", option, t, low, high), hint: "run: sqmctl " + c.Command.Name + " --help"}
	}
	return t, nil
}
