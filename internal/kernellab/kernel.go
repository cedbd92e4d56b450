package kernellab

import (
	"crypto/sha256"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
)

// The two files whose contents decide which kernels a test is meant for; the
// folder's name holds their hash, as build-kernel computes it.
var (
	//go:embed build-kernel
	buildScript []byte
	//go:embed uml.config
	umlConfig []byte
)

// Kernel finds a kernel that build-kernel has built: "linux", or one that
// lacks a part, as "no-cake". The error says how to build it.
func Kernel(name string) (string, error) {
	folder, err := kernelFolder()
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("no test kernel %s; run: make kernel", path)
	}
	return path, nil
}

func kernelFolder() (string, error) {
	sum := sha256.Sum256(append(buildScript[:len(buildScript):len(buildScript)], umlConfig...))
	cache := os.Getenv("SQMCTL_KERNEL_CACHE")
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("finding the test kernels: %w; set SQMCTL_KERNEL_CACHE", err)
		}
		cache = filepath.Join(user, "sqmctl")
	}
	return filepath.Join(cache, fmt.Sprintf("kernel-6.12-%x", sum[:6])), nil
}
