#!/bin/sh
# The same upload with a call beside it through ns-3 and through sqmctl
# simulate, in one run: CUBIC, 24 ms of round trip, 512 KiB in the modem, 60 s of
# which the first 10 don't count. Takes half a minute, most of it ns-3's.
#
# Needs Go and, on Debian 12 or Ubuntu 24.04, as root:
#   apt-get install libns3-dev g++ libgsl-dev pkg-config
#
# Where the two must differ: ns-3's token bucket holds one packet back outside of
# fq_codel, so the call waits for up to a full packet more behind its shaper, and
# its devices take time to send what sqmctl's line lets through as a burst.
set -eu
cd "$(dirname "$0")"

modules='ns3-core ns3-network ns3-internet ns3-point-to-point ns3-applications ns3-traffic-control'
missing=
command -v g++ >/dev/null || missing="$missing g++"
command -v pkg-config >/dev/null || missing="$missing pkg-config"
# shellcheck disable=SC2086 # a list of words
if [ -z "$missing" ] && ! pkg-config --exists $modules; then
	missing=' libns3-dev libgsl-dev'
fi
if [ -n "$missing" ]; then
	echo "ns-3 can't be built here; as root, run: apt-get install libns3-dev g++ libgsl-dev pkg-config (missing:$missing)" >&2
	exit 1
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# shellcheck disable=SC2046,SC2086 # lists of words
g++ -O2 -std=c++17 line.cc -o "$dir/ns3" $(pkg-config --cflags --libs $modules)
CGO_ENABLED=0 go build -tags urfave_cli_no_docs -o "$dir/sqmctl" ../../../cmd/sqmctl

# timed RUNS FILE COMMAND… runs a command so many times, leaves what it printed
# last in a file, and prints the median of the times from start to exit in ms.
timed() {
	runs=$1 file=$2
	shift 2
	for _ in $(seq "$runs"); do
		began=$(date +%s%N)
		"$@" >"$file"
		echo $((($(date +%s%N) - began) / 10000))
	done | sort -n | sed -n "$((runs / 2 + 1))p" | awk '{ printf "%.2f", $1 / 100 }'
}

# word NAME FILE is the number behind a name, in ns-3's line or in the JSON.
word() { sed -n "s/.*[\" ]*\b$1\"*[: ]\([0-9.]*\).*/\1/p" "$2"; }

# compare TITLE NS3-FLAGS SQMCTL-FLAGS prints two lines of the table.
compare() {
	# shellcheck disable=SC2086 # a list of words
	ns3=$(timed 1 "$dir/ns3.txt" "$dir/ns3" $2)
	# shellcheck disable=SC2086 # a list of words
	own=$(timed 9 "$dir/own.txt" "$dir/sqmctl" simulate --json $3)
	format='%-24s %-8s %9.2f %9.2f %9.2f %11.2f\n'
	# shellcheck disable=SC2059 # the same for both lines
	printf "$format" "$1" ns-3 "$(word median "$dir/ns3.txt")" "$(word p95 "$dir/ns3.txt")" \
		"$(word goodput "$dir/ns3.txt")" "$ns3"
	# shellcheck disable=SC2059
	printf "$format" '' sqmctl "$(call median)" "$(call p95)" "$(word goodput_mbit "$dir/own.txt")" "$own"
	echo "$ns3 $own" | awk '{ printf "%-24s %-8s %41.0f times as fast\n", "", "", $1 / $2 }'
}

# call NAME is one of the call's delays in the JSON.
call() { sed -n "s/.*\"call_ms\":{[^}]*\"$1\":\([0-9.]*\).*/\1/p" "$dir/own.txt"; }

printf '%-24s %-8s %9s %9s %9s %11s\n' '' '' 'median ms' 'p95 ms' 'Mbit/s' 'run ms'
compare '20 Mbit/s' '--rate=20' '--rate 20mbit'
compare '20 Mbit/s, fq_codel 98%' '--rate=20 --shaper=98' '--rate 20mbit --qdisc fq_codel --shaper 98%'
compare '100 Mbit/s' '--rate=100' '--rate 100mbit'
compare '100 Mbit/s, fq_codel 98%' '--rate=100 --shaper=98' '--rate 100mbit --qdisc fq_codel --shaper 98%'
