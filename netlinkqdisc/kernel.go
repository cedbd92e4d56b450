package netlinkqdisc

import (
	"errors"
	"fmt"

	"github.com/florianl/go-tc"
	mdlayher "github.com/mdlayher/netlink"
	"github.com/vishvananda/netlink/nl"
	"golang.org/x/sys/unix"
)

// Kernel is a connection to the kernel of one network namespace. It is for one
// goroutine at a time. The zero value is of no use.
type Kernel struct {
	tc     *tc.Tc           // sends new qdiscs and filters
	socket *nl.SocketHandle // sends everything else, and all dumps

	requests   int // that change something
	roundTrips int // all that were sent
	fail       func(request int) error
}

// Open connects to the kernel, in the network namespace of the calling thread.
// It needs no privilege: only requests that change something do.
func Open() (*Kernel, error) {
	requests, err := tc.Open(nil)
	if err != nil {
		return nil, fmt.Errorf("open a netlink socket: %w", err)
	}
	// Without group numbers Subscribe is an ordinary socket.
	socket, err := nl.Subscribe(unix.NETLINK_ROUTE)
	if err != nil {
		requests.Close()
		return nil, fmt.Errorf("open a netlink socket: %w", err)
	}
	// Kernels before 4.12 don't know the option, and send no text then.
	_ = requests.SetOption(mdlayher.ExtendedAcknowledge, true)
	_ = socket.SetExtAck(true)
	return &Kernel{tc: requests, socket: &nl.SocketHandle{Socket: socket}}, nil
}

// Close ends the connection.
func (k *Kernel) Close() error {
	k.socket.Close()
	return k.tc.Close()
}

// change sends a request that changes something. All of them come through
// here, so that they can be counted, and made to fail in tests.
func (k *Kernel) change(send func() error) error {
	k.requests++
	if k.fail != nil {
		if err := k.fail(k.requests); err != nil {
			return err
		}
	}
	k.roundTrips++
	return send()
}

// send sends a message of our own making that changes something.
func (k *Kernel) send(kind, flags int, payload []byte) error {
	return k.change(func() error {
		_, err := k.execute(kind, flags|unix.NLM_F_ACK, payload)
		return err
	})
}

// ask sends a message that changes nothing and returns what comes back.
func (k *Kernel) ask(kind, flags int, payload []byte) ([][]byte, error) {
	k.roundTrips++
	return k.execute(kind, flags, payload)
}

// dump asks for all objects of a kind, again for as long as they change while
// the kernel lists them: such a list may lack some, or have some twice.
func (k *Kernel) dump(kind int, payload []byte) ([][]byte, error) {
	const attempts = 10
	for range attempts {
		answers, err := k.ask(kind, unix.NLM_F_DUMP, payload)
		if !errors.Is(err, nl.ErrDumpInterrupted) {
			return answers, err
		}
	}
	return nil, fmt.Errorf("the kernel's objects changed during each of %d attempts to list them; try again", attempts)
}

func (k *Kernel) execute(kind, flags int, payload []byte) ([][]byte, error) {
	request := nl.NewNetlinkRequest(kind, flags)
	request.AddRawData(payload)
	request.Sockets = map[int]*nl.SocketHandle{unix.NETLINK_ROUTE: k.socket}
	return request.Execute(unix.NETLINK_ROUTE, 0)
}
