# make demo   see it work: a shaped line in a throwaway kernel
# make test   everything CI runs
# make bench  figures: apply, requests, memory; the simulator's speed and truth
# make size   the static binary for every router architecture
# make build  ./sqmctl for this machine
# make fuzz   fuzz every parser and decoder for a while: make fuzz FUZZTIME=1m

GO       ?= go
TAGS     := urfave_cli_no_docs
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
LDFLAGS  := -s -w -X main.version=$(VERSION)
FUZZTIME ?= 20s
BUILD    := CGO_ENABLED=0 $(GO) build -trimpath -tags $(TAGS) -ldflags '$(LDFLAGS)'
TOOL     := $(GO) tool -modfile=tools/go.mod

.DEFAULT_GOAL := build
.PHONY: build demo test needs format vet lint race kernel kernel-test bench size fuzz clean

build:
	$(BUILD) -o sqmctl ./cmd/sqmctl

demo: build
	./sqmctl check --profile internal/demo/demo.toml
	@internal/kernellab/build-kernel --path >/dev/null || tools/need user-mode-linux iproute2 kmod
	$(BUILD) -o bin/demo ./internal/demo
	bin/demo

test: needs format vet lint kernel race kernel-test

# gcc for the race detector; ip and tc are what the kernel tests compare with, and
# nft is what makes a flow table there.
needs:
	@tools/need gcc libc6-dev iproute2 nftables

format:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); \
	if [ -n "$$unformatted" ]; then echo "run gofmt -w on:" $$unformatted; exit 1; fi

vet:
	$(GO) vet ./...

# depguard holds the import order (.depguard.yml); it reads ./... itself.
lint:
	$(TOOL) depguard ./...
	$(TOOL) staticcheck ./...

# A kernel test binary can't be built with -race (its shadow memory doesn't map
# in User-Mode Linux), so the kernel tests have a pass of their own. A run of the
# simulator is one goroutine; that several don't meet is for cmd/sqmctl's tests.
race:
	CGO_ENABLED=1 $(GO) test -race $$($(GO) list ./... | grep -v /sim)

kernel:
	internal/kernellab/build-kernel
	internal/kernellab/build-cake-mq

kernel-test: kernel
	CGO_ENABLED=0 $(GO) test -timeout 20m ./...

# Figures of one apply, in a kernel in real time; of the simulator, in processor
# time; what it says beside what a kernel measured; what the shapers do to a call
# and to transfers, alone and beside those of sqm-scripts; and what doctor says of
# situations that it has to tell apart, as a confusion matrix.
bench: kernel
	CGO_ENABLED=0 $(GO) test -count 1 -v -run '^Test(Apply|ReadThousand)Benchmark$$' ./netlinkqdisc
	CGO_ENABLED=0 $(GO) test -run '^$$' -bench 'Run|Grid' -benchtime 7x ./sim | tools/bench-table
	CGO_ENABLED=0 $(GO) test -count 1 -v -run '^TestKernelRows$$' ./sim | grep -o '[hr][0-9]*: median.*'
	CGO_ENABLED=0 $(GO) test -count 1 -v -run '^TestUnderLoad$$' ./cmd/sqmctl | grep -o 'under load: .*'
	CGO_ENABLED=0 $(GO) test -count 1 -v -run '^TestSituations$$' ./cmd/sqmctl | grep -o 'situations: .*'
	CGO_ENABLED=0 SQMCTL_WHOLE_TABLE=1 $(GO) test -count 1 -v -run '^TestBesideSQMScripts$$' ./cmd/sqmctl | grep -o 'beside sqm-scripts: .*'

size:
	packaging/size

fuzz:
	@for package in linklayer config netlinkqdisc plan sim sim/qdisc tcdump cmd/sqmctl; do \
		for target in $$($(GO) test -list '^Fuzz' ./$$package | grep '^Fuzz'); do \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s ./$$package || exit 1; \
		done; \
	done

clean:
	rm -rf sqmctl bin
