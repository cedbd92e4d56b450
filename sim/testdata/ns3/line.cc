// One upload and one call over a subscriber's line in ns-3, to compare the
// simulator with: a host, a router with or without a shaper, a modem's queue
// in bytes, a line, and a far host that acknowledges over a line without limit.
//
// It prints the call's one-way delay and the upload's goodput after the warm-up
// as one line of words and numbers.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <algorithm>
#include <iostream>
#include <vector>

using namespace ns3;

namespace
{

// Bytes of a full packet in each place: what TCP carries, the IP packet, the
// same behind ns-3's PPP header, in an Ethernet frame, on an Ethernet wire.
constexpr double payload = 1448;
constexpr double packet = 1500;
constexpr double ppp = 1502;
constexpr double frame = 1514;
constexpr double wire = 1538;

struct Setup
{
    double rate = 20;    // Mbit/s of wire
    double buffer = 512; // KiB of wire
    double shaper = 0;   // percent of the rate, counting frames; 0: none
    double delay = 12;   // ms, one way
    double duration = 60;
    double warmup = 10; // s
};

// Seen is what arrived after the warm-up.
struct Seen
{
    Time from;
    uint64_t bytes = 0;
    std::vector<double> delays; // ms

    void Bulk(Ptr<const Packet> p, const Address&)
    {
        if (Simulator::Now() >= from)
        {
            bytes += p->GetSize();
        }
    }

    void Call(Ptr<const Packet> p, const Address&)
    {
        SeqTsHeader sent;
        p->PeekHeader(sent);
        if (Simulator::Now() >= from)
        {
            delays.push_back((Simulator::Now() - sent.GetTs()).GetSeconds() * 1e3);
        }
    }

    double Percentile(int percent)
    {
        std::sort(delays.begin(), delays.end());
        return delays.empty() ? 0 : delays[delays.size() * percent / 100];
    }
};

DataRate
Mbit(double mbit)
{
    return DataRate(static_cast<uint64_t>(mbit * 1e6));
}

// Linux's TCP as near as ns-3 has it.
void
ConfigureTcp()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpCubic"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(payload));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(64 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(64 << 20));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
}

// Link joins two nodes. What the first one sends takes the rate and waits in
// the queue; the second has no limit.
NetDeviceContainer
Link(Ptr<Node> from, Ptr<Node> to, double mbit, double delay, const std::string& queue)
{
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
    link.SetChannelAttribute("Delay", TimeValue(MicroSeconds(delay * 1e3)));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue(queue));
    NetDeviceContainer ends = link.Install(from, to);
    ends.Get(0)->SetAttribute("DataRate", DataRateValue(Mbit(mbit)));
    return ends;
}

// Shape puts a token bucket with an fq_codel in front of a device.
void
Shape(Ptr<NetDevice> device, double mbit)
{
    TrafficControlHelper shaper;
    uint16_t root = shaper.SetRootQueueDisc("ns3::TbfQueueDisc",
                                            "Burst", UintegerValue(1600),
                                            "Mtu", UintegerValue(0),
                                            "Rate", DataRateValue(Mbit(mbit)));
    auto classes = shaper.AddQueueDiscClasses(root, 1, "ns3::QueueDiscClass");
    shaper.AddChildQueueDisc(root, classes[0], "ns3::FqCoDelQueueDisc",
                             "UseEcn", BooleanValue(false));
    auto bucket = shaper.Install(device).Get(0);
    auto inner = bucket->GetQueueDiscClass(0)->GetQueueDisc();
    DynamicCast<FqCoDelQueueDisc>(inner)->SetQuantum(packet); // it finds no device to take it from
}

// Send starts the upload and the call from a node to an address.
void
Send(Ptr<Node> from, Ptr<Node> to, Ipv4Address address, const Setup& s, Seen& seen)
{
    const uint16_t bulkPort = 5001;
    const uint16_t callPort = 5002;
    const std::string tcp = "ns3::TcpSocketFactory";
    const std::string udp = "ns3::UdpSocketFactory";

    BulkSendHelper bulk(tcp, InetSocketAddress(address, bulkPort));
    bulk.SetAttribute("SendSize", UintegerValue(payload));
    bulk.Install(from).Start(MilliSeconds(1));

    UdpClientHelper call(address, callPort); // 20 bytes of IP and 8 of UDP make it 200
    call.SetAttribute("PacketSize", UintegerValue(172));
    call.SetAttribute("Interval", TimeValue(MilliSeconds(20)));
    call.SetAttribute("MaxPackets", UintegerValue(s.duration * 50));
    call.Install(from).Start(MilliSeconds(7));

    auto sink = [&](const std::string& kind, uint16_t port) {
        PacketSinkHelper helper(kind, InetSocketAddress(Ipv4Address::GetAny(), port));
        return helper.Install(to).Get(0);
    };
    sink(tcp, bulkPort)->TraceConnectWithoutContext("Rx", MakeCallback(&Seen::Bulk, &seen));
    sink(udp, callPort)->TraceConnectWithoutContext("Rx", MakeCallback(&Seen::Call, &seen));
}

} // namespace

int
main(int argc, char* argv[])
{
    Setup s;
    CommandLine flags(__FILE__);
    flags.AddValue("rate", "Mbit/s of the line, counting what is on the wire", s.rate);
    flags.AddValue("buffer", "KiB of wire that the modem holds", s.buffer);
    flags.AddValue("shaper", "percent of the rate, counting frames; 0: none", s.shaper);
    flags.AddValue("delay", "ms one way", s.delay);
    flags.AddValue("duration", "s", s.duration);
    flags.AddValue("warmup", "s that don't count", s.warmup);
    flags.Parse(argc, argv);

    ConfigureTcp();
    NodeContainer nodes(3); // host, router, far host
    InternetStackHelper().Install(nodes);
    auto home = Link(nodes.Get(0), nodes.Get(1), 100e3, 0, "100000p");
    auto held = std::to_string(static_cast<int>(s.buffer * 1024 * ppp / wire)) + "B";
    auto line = Link(nodes.Get(1), nodes.Get(2), s.rate * ppp / wire, s.delay, held);
    if (s.shaper > 0)
    {
        Shape(line.Get(0), s.rate * s.shaper / 100 * packet / frame);
    }

    // Addresses install a qdisc of ns-3's own where there is none; without one
    // the device drops what it can't hold, as a modem does.
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.0");
    addresses.Assign(home);
    addresses.NewNetwork();
    auto far = addresses.Assign(line).GetAddress(1);
    TrafficControlHelper none;
    none.Uninstall(home);
    none.Uninstall(s.shaper > 0 ? NetDeviceContainer(line.Get(1)) : line);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    Seen seen;
    seen.from = Seconds(s.warmup);
    Send(nodes.Get(0), nodes.Get(2), far, s, seen);
    Simulator::Stop(Seconds(s.duration));
    Simulator::Run();
    std::cout << "median " << seen.Percentile(50) << " p95 " << seen.Percentile(95) << " goodput "
              << seen.bytes * 8 / 1e6 / (s.duration - s.warmup) << " events "
              << Simulator::GetEventCount() << "\n";
    Simulator::Destroy();
}
