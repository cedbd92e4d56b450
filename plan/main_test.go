package plan

import (
	"testing"

	"github.com/sqmctl/sqmctl/internal/kernellab"
)

func TestMain(m *testing.M) { kernellab.Main(m) }
