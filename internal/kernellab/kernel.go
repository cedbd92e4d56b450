package kernellab

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// CakeMQ is the kernel with cake_mq, the one that build-cake-mq builds if its
// source is there. A test that takes it is skipped where it isn't.
const CakeMQ = "cake-mq"

// The files whose contents decide which kernels a test is meant for; the
// folder's name holds their hash, as the scripts compute it.
var (
	//go:embed build-kernel
	buildScript []byte
	//go:embed build-cake-mq
	buildCakeMQScript []byte
	//go:embed uml.config
	umlConfig []byte
)

// errNotBuilt is about a kernel that isn't there.
var errNotBuilt = errors.New("run: make kernel")

// Kernel finds a kernel that build-kernel has built: "linux", or one that
// lacks a part, as "no-cake"; or CakeMQ. The error says how to build it.
func Kernel(name string) (string, error) {
	folder, err := kernelFolder(name)
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("no test kernel %s; %w", path, errNotBuilt)
	}
	return path, nil
}

func kernelFolder(kernel string) (string, error) {
	version, script := "6.12", buildScript
	if kernel == CakeMQ {
		version, script = CakeMQ, buildCakeMQScript
	}
	sum := sha256.Sum256(append(script[:len(script):len(script)], umlConfig...))
	cache := os.Getenv("SQMCTL_KERNEL_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("finding the test kernels: %w; set SQMCTL_KERNEL_CACHE", err)
		}
		cache = filepath.Join(user, "sqmctl")
	}
	return filepath.Join(cache, fmt.Sprintf("kernel-%s-%x", version, sum[:6])), nil
}
