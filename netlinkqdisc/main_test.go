package netlinkqdisc

import (
	"os"
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(holdWord); folder != "" {
		holdLock(folder)
	}
	kernellab.Main(m)
}
