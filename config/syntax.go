package config

import (
	"errors"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"
)

// syntaxProblem is what the decoder says about a text that is no TOML.
func syntaxProblem(file, text string, err error) Problem {
	p := Problem{File: file, Line: 1, Column: 1, Text: oneLine(err.Error()), Advice: syntaxAdvice(err.Error())}
	var parse toml.ParseError
	if !errors.As(err, &parse) {
		return p
	}
	offset := parse.Position.Start
	if strings.HasPrefix(text, byteOrderMark) {
		offset += len(byteOrderMark) // the decoder counts from behind it
	}
	place := (&index{text: text, lines: lineStarts(text)}).at(offset)
	p.Line, p.Column = place.line, place.column
	p.Text, p.Advice = oneLine(parse.Message), syntaxAdvice(parse.Message)
	return p
}

// oneLine is a message of the decoder in the form of ours.
func oneLine(message string) string {
	message = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.TrimSuffix(message, "."))
	if len(message) > 1 && unicode.IsUpper(rune(message[0])) && unicode.IsLower(rune(message[1])) {
		message = strings.ToLower(message[:1]) + message[1:]
	}
	return message
}

// syntaxAdvice is for the mistakes that people make in a profile.
func syntaxAdvice(message string) string {
	for _, m := range []struct{ sign, advice string }{
		{"expected value but found", `put words in quotes, as in type = "docsis"; only numbers, true and false go without`},
		{"expected a top-level item to end", `put the whole value in quotes, as in "10 %", and start each key on a line of its own`},
		{"expected value", "write a value after the equals sign"},
		{"strings cannot contain newlines", "close the string on its line, with the quote that it began with"},
		{"has already been defined", "remove one of the two; another line gets its own [[link]], with two brackets"},
		{"was already created", "remove one of the two; another line gets its own [[link]], with two brackets"},
		{"expected '.' or '='", "write key = value"},
		{"comma", `put values such as "40 Mbit/s" in quotes, and a comma between the entries`},
		{"table name", "write the name between brackets, as in [[link]]"},
		{"table array name", "write the name between brackets, as in [[link]]"},
		{"UTF", "save the file as UTF-8 text"},
		{"control characters", "remove it, and save the file as UTF-8 text"},
	} {
		if strings.Contains(message, m.sign) {
			return m.advice
		}
	}
	return `correct this place; a key and its value look like interface = "eth0"`
}
