package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/vishvananda/netlink"

	"github.com/sqmctl/sqmctl/internal/everyline"
	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// router is a namespace on which sqmctl is run as on a router. Its device wan
// goes to the provider; lan is somebody else's, with queues that sqmctl has no
// business with. Without another one named, the profile is the router's.
type router struct {
	*kernellab.Namespace
	line *kernellab.Namespace // the other end of wan, called peer there
	t    *testing.T
}

// routerProfile is in the guest's own tree, where everybody can read it.
const routerProfile = "/run/sqm.toml"

func newRouter(t *testing.T, profile string) *router {
	t.Helper()
	namespace, line := kernellab.NewVeth(t)
	r := &router{namespace, line, t}
	r.write(profile)
	if err := os.Setenv("SQMCTL_PROFILE", routerProfile); err != nil { // the guest runs no other test
		t.Fatal(err)
	}
	r.In(func() {
		if err := makeLAN(); err != nil {
			t.Fatal(err)
		}
	})
	r.Batch("tc", `qdisc add dev lan root handle 1: htb default 20
		class add dev lan parent 1: classid 1:20 htb rate 50mbit
		qdisc add dev lan parent 1:20 handle 20: fq_codel
		qdisc add dev lan clsact
		filter add dev lan ingress protocol ip prio 3 u32 match ip dst 192.0.2.9/32 action drop
	`)
	time.Sleep(3 * time.Second) // until the kernel has noticed what carries
	return r
}

// makeLAN makes lan, and lets wan be as ip makes devices: to one without a
// queue's length the kernel gives one with its first qdisc, for good.
func makeLAN() error {
	wan, err := netlink.LinkByName("wan")
	if err != nil {
		return err
	}
	lan := netlink.NewLinkAttrs()
	lan.Name, lan.Flags = "lan", net.FlagUp
	return errors.Join(netlink.LinkSetTxQLen(wan, 1000), netlink.LinkAdd(&netlink.Veth{LinkAttrs: lan, PeerName: "pc"}))
}

// write replaces the profile.
func (r *router) write(profile string) {
	r.t.Helper()
	if err := os.WriteFile(routerProfile, []byte(profile), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// read is the profile as it is.
func (r *router) read() string {
	r.t.Helper()
	text, err := os.ReadFile(routerProfile)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// profileOf is a profile for wan with some more lines.
var profileOf = everyline.Of

// output is what a command left behind.
type output struct {
	status         int
	stdout, stderr string
}

// sqmctl runs a command in this process.
func (r *router) sqmctl(args ...string) output {
	var stdout, stderr bytes.Buffer
	var o output
	r.In(func() { o.status = run(append([]string{"sqmctl"}, args...), &stdout, &stderr) })
	o.stdout, o.stderr = stdout.String(), stderr.String()
	return o
}

// must runs a command that has to end well, and returns its standard output.
func (r *router) must(args ...string) string {
	r.t.Helper()
	o := r.sqmctl(args...)
	if o.status != statusFine {
		r.t.Fatalf("sqmctl %s ended with %d\n%s%s", strings.Join(args, " "), o.status, o.stderr, o.stdout)
	}
	return o.stdout
}

// apply applies the profile, and returns how many requests that took.
func (r *router) apply() (requests int) {
	r.t.Helper()
	var links []appliedJSON
	if err := json.Unmarshal([]byte(r.must("apply", "--json")), &links); err != nil {
		r.t.Fatal(err)
	}
	for _, l := range links {
		requests += l.Requests
	}
	return requests
}

// remove removes all that is sqmctl's.
func (r *router) remove() { r.t.Helper(); r.must("remove") }
