// Package kernellab runs Go tests inside a real Linux kernel, as root, without
// any privilege outside: User-Mode Linux is a complete kernel that runs as an
// ordinary process, the host's file tree is its root file system, and the test
// binary is its own init. A kernel boots in a tenth of a second, so every test
// gets a fresh one. By default its clock is virtual: time moves only when
// every process sleeps, so waiting costs nothing and results repeat.
//
//	func TestMain(m *testing.M) { kernellab.Main(m) }
//
//	func TestQdisc(t *testing.T) {
//		kernellab.Run(t, func(t *testing.T) {
//			… the body runs in the guest, and may change any device there …
//		})
//	}
//
// The package is for tests and for the demonstration. Nothing that users run
// may depend on it.
package kernellab
