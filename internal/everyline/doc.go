// Package everyline has profiles of every kind of line on every kind of device,
// for the tests that hold of all of them. It is no part of the program.
package everyline
