package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// version is set by the release build: -ldflags '-X main.version=1.0.0'.
var version = "development"

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:      "version",
		Usage:     "print version, commit and Go version",
		ArgsUsage: noArguments,
		Flags:     []cli.Flag{jsonFlag},
		Action: func(c *cli.Context) error {
			facts := buildFacts()
			if c.Bool("json") {
				return json.NewEncoder(c.App.Writer).Encode(facts)
			}
			_, err := fmt.Fprintf(c.App.Writer, "sqmctl %s (commit %s, %s, %s)\n", facts.Version, facts.Commit, facts.Go, facts.Platform)
			return err
		},
	}
}

type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func buildFacts() build {
	facts := build{Version: version, Commit: "unknown"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return facts
	}
	facts.Go = info.GoVersion
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	facts.Platform = settings["GOOS"] + "/" + settings["GOARCH"]
	if c := settings["vcs.revision"]; c != "" {
		facts.Commit = c[:min(12, len(c))]
	}
	if settings["vcs.modified"] == "true" {
		facts.Commit += "+changes"
	}
	return facts
}
