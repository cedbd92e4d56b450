// Package plan holds the traffic control objects that are wanted (Plan) and
// the same objects as found (State), in one vocabulary of plain values, and
// the pure functions between them: Compile, Diff, Teardown and Format.
//
// It has no socket, no clock and no file.
package plan
