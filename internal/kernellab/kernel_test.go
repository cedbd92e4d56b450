package kernellab_test

import (
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

// The script that builds the kernels and the package that looks for them
// agree on the folder.
func TestKernelIsWhereTheScriptPutsIt(t *testing.T) {
	for _, cache := range []string{"", t.TempDir()} {
		t.Setenv("SQMCTL_KERNEL_CACHE", cache)
		out, err := exec.Command("./build-kernel", "--path").Output()
		if cache == "" && err != nil {
			t.Fatalf("build-kernel --path: %v; run: make kernel", err)
		}
		got, err := kernellab.Kernel("linux")
		if cache == "" {
			if want := filepath.Join(strings.TrimSpace(string(out)), "linux"); err != nil || got != want {
				t.Errorf("Kernel = %q, %v, want %q", got, err, want)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "no test kernel "+cache) || !strings.Contains(err.Error(), "make kernel") {
			t.Errorf("in an empty cache: %v", err)
		}
	}
}

// Each of the kernels lacks what its name says and
// nothing else: so much a test may rely on.
func TestEachKernelLacksItsPart(t *testing.T) {
	parts := []string{
		"NET_SCH_CAKE", "IFB", "NET_CLS_MATCHALL", "NET_CLS_U32", "NET_ACT_MIRRED", "NET_SCH_INGRESS",
		"NF_CONNTRACK", "NET_CLS_FLOWER", "NET_SCH_HTB", "NET_SCH_FQ_CODEL", "VETH",
	}
	for kernel, want := range map[string][]string{
		"linux":         nil,
		"no-cake":       {"NET_SCH_CAKE"},
		"no-ifb":        {"IFB"},
		"no-matchall":   {"NET_CLS_MATCHALL"},
		"no-classifier": {"NET_CLS_MATCHALL", "NET_CLS_U32"},
		"no-mirred":     {"NET_ACT_MIRRED"},
		"no-ingress":    {"NET_SCH_INGRESS"},
	} {
		t.Run(kernel, func(t *testing.T) {
			kernellab.RunOn(t, kernel, func(t *testing.T) {
				config := kernelConfig(t)
				var missing []string
				for _, part := range parts {
					if !strings.Contains(config, "\nCONFIG_"+part+"=y\n") {
						missing = append(missing, part)
					}
				}
				if diff := cmp.Diff(want, missing); diff != "" {
					t.Errorf("missing parts (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// kernelConfig is the configuration of the running kernel.
func kernelConfig(t *testing.T) string {
	t.Helper()
	packed, err := os.Open("/proc/config.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	plain, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(plain)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
