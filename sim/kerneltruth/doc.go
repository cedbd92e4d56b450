// Package kerneltruth holds what a real Linux kernel measured on lines that
// package sim can simulate too. It is for tests. Its own tests measure: with
// -update they run the chosen scenarios in the kernel and write the rows, and
// without it they run a few rows again to see that the kernel still says so.
package kerneltruth
