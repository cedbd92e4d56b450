package tcp

// room is what the receiver has room for, from the oldest segment on its way.
// Linux lets it grow with what comes in order in a round trip, fast enough for
// a slow start (tcp_rcv_space_adjust), so it is in the way only where one
// segment is lost again and again while others arrive.
type room struct {
	room        uint32 // segments
	begin, turn uint32 // a round trip is over when turn is acknowledged
}

// firstRoom is half of Linux's net.ipv4.tcp_rmem to begin with, in segments.
const firstRoom = 64 << 10 / Payload

// makeRoom looks, once a round trip, at what has come in order.
func (s *Sender) makeRoom() {
	if before(s.acknowledged, s.turn) {
		return
	}
	s.room.room = max(s.room.room, 8*(s.acknowledged-s.begin)+16)
	s.begin, s.turn = s.acknowledged, s.next
}
