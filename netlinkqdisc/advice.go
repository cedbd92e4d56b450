package netlinkqdisc

import (
	"fmt"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sqmctl/sqmctl/plan"
)

// advice says what to do about an errno that a step got; "" if nothing better
// is known than the kernel's own words.
func advice(s *plan.Step, errno unix.Errno, kernel string) string {
	switch errno {
	case unix.EPERM, unix.EACCES:
		return "run it as root or with the capability CAP_NET_ADMIN"
	case unix.ENODEV:
		return s.Object.Device() + " has gone; apply again when it is back"
	}
	if s.Action == plan.Delete {
		return ""
	}
	switch o := s.Object.(type) {
	case *plan.IFB:
		return ifbAdvice(o, errno)
	case *plan.Qdisc:
		return qdiscAdvice(o, errno, kernel)
	case *plan.Marks:
		return marksAdvice(errno, kernel)
	case *plan.Filter:
		return filterAdvice(o, errno, kernel)
	}
	return ""
}

func ifbAdvice(o *plan.IFB, errno unix.Errno) string {
	switch errno {
	case unix.EOPNOTSUPP:
		return "this kernel has no IFB devices; " + bring("kmod-ifb", "ifb") + onUbuntu + uploadAlone
	case unix.EEXIST:
		return fmt.Sprintf("another device is called %s; rename it", o.Link)
	}
	return ""
}

func qdiscAdvice(o *plan.Qdisc, errno unix.Errno, kernel string) string {
	switch {
	case o.Kind == "cake_mq" && !strings.Contains(kernel, "conntrack"):
		return cakeMQAdvice(o, errno, kernel)
	case errno == unix.EOPNOTSUPP && o.Cake != nil && o.Cake.NAT:
		return `this kernel can't look through NAT, which needs connection tracking; set nat = false, or ` +
			bring("kmod-nf-conntrack", "nf_conntrack")
	case errno == unix.EEXIST && o.Parent == plan.HandleIngress:
		return "another program has just made it; apply again"
	case !unknownKind(errno, kernel):
		return ""
	case isCake(o.Kind):
		return "this kernel has no CAKE; " + bring("kmod-sched-cake", "sch_cake")
	case o.Kind == "htb":
		return "this kernel has no HTB; " + bring("kmod-sched-core", "sch_htb")
	case o.Kind == "fq_codel":
		return "this kernel has no fq_codel; " + bring("kmod-sched-core", "sch_fq_codel")
	case o.Kind == "fq":
		return "this kernel has no fq; " + bring("kmod-sched", "sch_fq") + `, or write qdisc = "fq_codel"`
	case o.Parent == plan.HandleIngress:
		return "this kernel has no ingress qdisc; " + bring("kmod-sched-core", "sch_ingress") + uploadAlone
	}
	return ""
}

func marksAdvice(errno unix.Errno, kernel string) string {
	if noClassifier(errno, kernel) {
		return "this kernel has no classifier u32; " + bring("kmod-sched-core", "cls_u32") + `; or write diffserv = "besteffort"`
	}
	return ""
}

// cakeMQAdvice is about what the kernel says of cake_mq without a reason: that it
// doesn't know the kind, and that the device has one queue.
func cakeMQAdvice(o *plan.Qdisc, errno unix.Errno, kernel string) string {
	switch {
	case unknownKind(errno, kernel):
		return `this kernel has no cake_mq, which came with Linux 7.0 and OpenWrt 25.12: write qdisc = "cake"; or, if it is as new as that, ` +
			bring("kmod-sched-cake", "sch_cake")
	case errno == unix.EOPNOTSUPP:
		return fmt.Sprintf(`cake_mq goes only at the root of a device with several transmit queues, and %s may have one: write qdisc = "cake"`, o.Link)
	}
	return ""
}

// unknownKind tells whether a qdisc's kind was refused. Kernels that give no text
// are taken to mean that.
func unknownKind(errno unix.Errno, kernel string) bool {
	return errno == unix.ENOENT && (kernel == "" || strings.Contains(kernel, "kind is unknown"))
}

func filterAdvice(o *plan.Filter, errno unix.Errno, kernel string) string {
	missing := errno == unix.ENOENT || errno == unix.EOPNOTSUPP
	switch {
	case noClassifier(errno, kernel):
		return "this kernel has neither the classifier matchall nor u32; " +
			bring("kmod-sched-core", "cls_matchall") + uploadAlone
	case strings.Contains(kernel, "shared"):
		return "another program shares the filters of this device with others (ingress_block); stop it, or have it use a block of its own"
	case missing && o.RestoreDSCP:
		return "this kernel can't restore the DSCP, or can't redirect packets; " + bring("kmod-sched-ctinfo", "act_ctinfo") +
			", or remove restore_dscp"
	case missing:
		return "this kernel can't redirect packets; " + bring("kmod-sched-core", "act_mirred") + uploadAlone
	}
	return ""
}

// noClassifier says whether a filter's kind was refused, and not its action,
// for which the errno is the same (tcf_proto_lookup_ops in the kernel's
// net/sched/cls_api.c, tc_action_load_ops in act_api.c). Kernels that give no
// text are taken to mean the kind: u32 is then tried, and fails the same way
// if it was the action.
func noClassifier(errno unix.Errno, kernel string) bool {
	return errno == unix.ENOENT && (kernel == "" || strings.Contains(kernel, "classifier"))
}

// onUbuntu is for what Ubuntu has in a package of its own, which images for
// clouds and containers leave out.
const onUbuntu = ", or install the package linux-modules-extra of the running kernel (Ubuntu); in a container, on its host"

// uploadAlone is the way out where nothing can be installed: what the kernel
// lacks is needed for the download only.
const uploadAlone = `; or write download = "off", to shape the upload alone`

// bring names the packages that bring a part of the kernel. On Debian it is a
// module of every official kernel, the cloud one included.
func bring(openWrt, module string) string {
	return fmt.Sprintf("install %s (OpenWrt), or boot a kernel that has the module %s, as linux-image-amd64 does (Debian)",
		openWrt, module)
}
