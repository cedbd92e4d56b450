package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
	"github.com/sqmctl/sqmctl/plan"
)

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "show what is installed on each link, who owns it, and its counters",
		ArgsUsage: "[LINK…]",
		Description: `Without a link: those of the profile, if there is one, and every device that
has a shaper. For a judgement of the counters, run: sqmctl doctor`,
		Flags:  []cli.Flag{profileFlag, jsonFlag},
		Action: status,
	}
}

func status(c *cli.Context) error {
	found, err := readKernel()
	if err != nil {
		return err
	}
	names := c.Args().Slice()
	if len(names) == 0 {
		if names, err = interestingDevices(c, found); err != nil {
			return err
		}
	}
	if err := checkNames(c, found); err != nil {
		return err
	}
	rows := []directionStatus{}
	for _, name := range names {
		rows = append(rows, linkStatus(found, name)...)
	}
	if c.Bool("json") {
		return json.NewEncoder(c.App.Writer).Encode(rows)
	}
	if len(rows) == 0 {
		fmt.Fprintf(c.App.Writer, "nothing is shaped on this machine, and there is no profile at %s\n", profilePath(c))
	}
	for _, r := range rows {
		r.print(c.App.Writer)
	}
	return nil
}

// checkNames refuses a name on the command line that is neither a device nor
// a link of the profile, whose device may come later.
func checkNames(c *cli.Context, found plan.State) error {
	for _, name := range c.Args().Slice() {
		if found.Device(name) != nil {
			continue
		}
		if !haveProfile(c) {
			return unknownDevice(name)
		}
		profile, err := config.Load(profilePath(c))
		if err != nil {
			return err
		}
		if !isLink(profile, name) {
			return unknownDevice(name)
		}
	}
	return nil
}

// interestingDevices are the profile's links and whatever somebody shapes.
func interestingDevices(c *cli.Context, found plan.State) ([]string, error) {
	var names []string
	if haveProfile(c) {
		profile, err := config.Load(profilePath(c))
		if err != nil {
			return nil, err
		}
		for _, l := range profile.Links {
			names = append(names, l.Interface)
		}
	}
	for i := range found.Devices {
		d := &found.Devices[i]
		root := d.At(plan.HandleRoot)
		byHand := d.Kind != "ifb" && root != nil && root.Handle != 0
		if (byHand || len(d.Filters) > 0) && !slices.Contains(names, d.Name) {
			names = append(names, d.Name)
		}
	}
	return names, nil
}

// stateShaped is the state of a direction that a rate holds back.
const stateShaped = "shaped"

// directionStatus is one direction of one link, for people and for machines.
type directionStatus struct {
	Link      string               `json:"link"`
	Direction string               `json:"direction"`
	State     string               `json:"state"` // "shaped", "not shaped", "waiting for the device"
	Owner     string               `json:"owner"` // "sqmctl", "kernel default", "another program", ""
	Device    string               `json:"device,omitempty"`
	Qdisc     *plan.QdiscStateJSON `json:"qdisc,omitempty"`
	rate      linklayer.Rate
	down      bool // the device is
	words     string
	root      *plan.QdiscState
}

func linkStatus(found plan.State, name string) []directionStatus {
	device := found.Device(name)
	if device == nil {
		waiting := directionStatus{Link: name, State: "waiting for the device"}
		up, down := waiting, waiting
		up.Direction, down.Direction = linklayer.Egress.String(), linklayer.Ingress.String()
		return []directionStatus{up, down}
	}
	up := rootStatus(device, linklayer.Egress)
	up.Link = name
	down := directionStatus{Link: name, Direction: linklayer.Ingress.String(), State: "not shaped"}
	if target := found.Device(device.RedirectTarget()); target != nil && target.Name != name {
		down = rootStatus(target, linklayer.Ingress)
		down.Link = name
	}
	return []directionStatus{up, down}
}

func rootStatus(device *plan.Device, direction linklayer.Direction) directionStatus {
	s := directionStatus{Direction: direction.String(), Device: device.Name, State: "not shaped"}
	s.root = device.At(plan.HandleRoot)
	if s.root == nil {
		return s
	}
	qdisc := plan.NewQdiscStateJSON(s.root)
	s.Qdisc, s.words, s.Owner = &qdisc, s.root.Words(), owner(s.root)
	s.down = !device.Up
	s.rate = device.ShapedRate()
	if device.Up && s.rate != 0 {
		s.State = stateShaped
	}
	return s
}

func owner(root *plan.QdiscState) string {
	switch {
	case root.Handle.Owned():
		return "sqmctl"
	case root.Handle == 0:
		return "kernel default"
	}
	return "another program"
}

func (s *directionStatus) print(out io.Writer) {
	fmt.Fprintf(out, "%s %s: %s", s.Link, s.Direction, s.State)
	if s.root == nil {
		fmt.Fprintln(out)
		return
	}
	if s.State == stateShaped {
		fmt.Fprintf(out, " at %s", s.rate)
		fmt.Fprint(out, chargeWords(s.root))
	}
	which := s.Device
	if s.down {
		which += ", which is down"
	}
	fmt.Fprintf(out, " (%s, by %s)\n", which, s.Owner)
	if s.words != "" {
		fmt.Fprintf(out, "  %s\n", s.words)
	}
	c := s.root.Stats
	fmt.Fprintf(out, "  sent %d bytes in %d packets, %d drops, %d marks, held back %d times, %d bytes waiting\n",
		c.Bytes, c.Packets, c.Drops, c.Marks, c.Overlimits, c.Backlog)
	if s.root.CakeStats != nil {
		printTins(out, s.root)
	}
}

// chargeWords is what a qdisc adds to a packet, by itself and by a size table.
func chargeWords(root *plan.QdiscState) (words string) {
	switch {
	case root.Cake == nil:
	case !root.Cake.Raw:
		words = fmt.Sprintf(", overhead %d", root.Cake.Encapsulation.Overhead)
	case root.Stab == nil:
		words = ", no overhead"
	}
	if root.Stab != nil {
		words += fmt.Sprintf(", size table with overhead %d", root.Stab.Overhead)
		if root.Stab.ATM {
			words += " and ATM cells"
		}
	}
	return words
}

func printTins(out io.Writer, root *plan.QdiscState) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "  tin\tthreshold\ttarget\tpackets\tdrops\tmarks\tacks dropped\twaiting\tdelay mean\tdelay peak\t")
	tins := root.CakeStats.Tins
	for i, t := range tins {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t\n", tinName(i, len(tins)), t.Threshold, t.Target, t.SentPackets, t.Drops, t.Marks,
			t.AcksDropped, t.BacklogBytes, t.AverageDelay.Round(time.Microsecond), t.PeakDelay.Round(time.Microsecond))
	}
	w.Flush()
}

// tinNames are the kernel's tins by how many there are, as tc-cake(8) has them.
var tinNames = map[int][]string{
	1: {"best effort"},
	3: {"bulk", "best effort", "voice"},
	4: {"bulk", "best effort", "video", "voice"},
}

func tinName(i, of int) string {
	if names := tinNames[of]; names != nil {
		return names[i]
	}
	return strconv.Itoa(i)
}
