package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/linklayer"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name:      "check",
		Usage:     "read the profile and report every problem in it",
		ArgsUsage: noArguments,
		Description: `The kernel is not asked and nothing is changed. Each problem is a line with
file, line, column, key and what to write instead.`,
		Flags:  []cli.Flag{profileFlag, jsonFlag},
		Action: check,
	}
}

func check(c *cli.Context) error {
	profile, err := config.Load(profilePath(c))
	if c.Bool("json") {
		return checkJSON(c, profile, err)
	}
	if err != nil {
		return err
	}
	for i := range profile.Links {
		link := &profile.Links[i]
		fmt.Fprintf(c.App.Writer, "%s: %s, upload %s, download %s\n", link.Interface, link.Type.Title,
			rateWords(link.Upload), rateWords(link.Download))
	}
	return nil
}

func rateWords(s config.Settings) string {
	switch {
	case s.Off:
		return "off"
	case !s.Shaped():
		return "unshaped"
	}
	return fmt.Sprintf("%s of %s", s.Rate(), s.Invoice)
}

type problemJSON struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Key    string `json:"key"`
	Text   string `json:"text"`
	Advice string `json:"advice"`
}

type checkedLinkJSON struct {
	Interface    string         `json:"interface"`
	Type         string         `json:"type"`
	UploadRate   linklayer.Rate `json:"upload_bit_per_s"`
	DownloadRate linklayer.Rate `json:"download_bit_per_s"`
}

// checkJSON prints both lists always, so that a script needn't ask which.
func checkJSON(c *cli.Context, profile *config.Profile, err error) error {
	var problems *config.Problems
	if err != nil && !errors.As(err, &problems) {
		return err
	}
	out := struct {
		Links    []checkedLinkJSON `json:"links"`
		Problems []problemJSON     `json:"problems"`
	}{[]checkedLinkJSON{}, []problemJSON{}}
	if problems != nil {
		for _, p := range problems.List {
			out.Problems = append(out.Problems, problemJSON(p))
		}
	} else {
		for _, l := range profile.Links {
			out.Links = append(out.Links, checkedLinkJSON{l.Interface, l.Type.Name, shaped(l.Upload), shaped(l.Download)})
		}
	}
	if encodeErr := json.NewEncoder(c.App.Writer).Encode(out); encodeErr != nil {
		return encodeErr
	}
	if err != nil {
		return &silent{err}
	}
	return nil
}

// shaped is the rate, 0 when the direction isn't shaped.
func shaped(s config.Settings) linklayer.Rate {
	if !s.Shaped() {
		return 0
	}
	return s.Rate()
}
