package main

import (
	"errors"
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// events hears what changes about devices and traffic control in a namespace,
// whoever changes it.
type events struct {
	r      *router
	socket int
}

func (r *router) listen() *events {
	r.t.Helper()
	e := &events{r: r}
	r.In(func() {
		var err error
		if e.socket, err = unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE); err != nil {
			r.t.Fatal(err)
		}
		groups := uint32(1<<(unix.RTNLGRP_LINK-1) | 1<<(unix.RTNLGRP_TC-1))
		if err := unix.Bind(e.socket, &unix.SockaddrNetlink{Family: unix.AF_NETLINK, Groups: groups}); err != nil {
			r.t.Fatal(err)
		}
	})
	r.t.Cleanup(func() { unix.Close(e.socket) })
	return e
}

// heard are the kinds of messages since the last time, up to two seconds from
// now, which is later than the kernel notices anything about a carrier.
func (e *events) heard() []string {
	e.r.t.Helper()
	names := map[uint16]string{
		unix.RTM_NEWLINK: "new link", unix.RTM_DELLINK: "deleted link", unix.RTM_NEWQDISC: "new qdisc", unix.RTM_DELQDISC: "deleted qdisc",
		unix.RTM_NEWTCLASS: "new class", unix.RTM_DELTCLASS: "deleted class", unix.RTM_NEWTFILTER: "new filter", unix.RTM_DELTFILTER: "deleted filter",
	}
	time.Sleep(2 * time.Second)
	var all []string
	b := make([]byte, 64<<10)
	for {
		n, _, err := unix.Recvfrom(e.socket, b, unix.MSG_DONTWAIT)
		if errors.Is(err, unix.EAGAIN) {
			return all
		}
		if err != nil {
			e.r.t.Fatal(err)
		}
		messages, err := syscall.ParseNetlinkMessage(b[:n])
		if err != nil {
			e.r.t.Fatal(err)
		}
		for _, m := range messages {
			name, ok := names[m.Header.Type]
			if !ok {
				name = fmt.Sprintf("message %d", m.Header.Type)
			}
			all = append(all, name)
		}
	}
}
