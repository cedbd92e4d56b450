package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/config"
	"github.com/sqmctl/sqmctl/plan"
)

// defaultProfile is where packages put the profile.
const defaultProfile = "/etc/sqmctl/sqmctl.toml"

var profileFlag = &cli.StringFlag{
	Name: "profile", Aliases: []string{"p"}, Value: defaultProfile, EnvVars: []string{"SQMCTL_PROFILE"},
	Usage: "read the lines from `FILE`",
}

var jsonFlag = &cli.BoolFlag{Name: "json", Usage: "print JSON; units are in the key names", DisableDefaultText: true}

// profilePath is the profile to read. An empty SQMCTL_PROFILE counts as none.
func profilePath(c *cli.Context) string {
	return cmp.Or(c.String("profile"), defaultProfile)
}

// loadProfile reads the profile and keeps the links named on the command line,
// all of them if none is.
func loadProfile(c *cli.Context) (*config.Profile, error) {
	profile, err := config.Load(profilePath(c))
	if err != nil {
		return nil, err
	}
	if err := checkLinks(c, profile); err != nil {
		return nil, err
	}
	profile.Links = slices.DeleteFunc(profile.Links, func(l config.Link) bool { return !isAsked(c, l.Interface) })
	return profile, nil
}

// checkLinks refuses a name on the command line that is no link.
func checkLinks(c *cli.Context, profile *config.Profile) error {
	for _, name := range c.Args().Slice() {
		if !isLink(profile, name) {
			return unknownLink(profile, name)
		}
	}
	return nil
}

// isAsked tells whether a link is meant: it is named on the command line, or
// none is.
func isAsked(c *cli.Context, name string) bool {
	return !c.Args().Present() || slices.Contains(c.Args().Slice(), name)
}

func isLink(profile *config.Profile, name string) bool {
	return slices.ContainsFunc(profile.Links, func(l config.Link) bool { return l.Interface == name })
}

func unknownDevice(name string) error {
	return &usageError{text: "there is no device " + name, hint: "«ip link» lists the devices"}
}

func unknownLink(profile *config.Profile, name string) error {
	if strings.ContainsAny(name, "/") || strings.HasSuffix(name, ".toml") {
		return &usageError{text: name + " is not a link of the profile", hint: "to name a profile, write: --profile " + name}
	}
	var known []string
	for _, l := range profile.Links {
		known = append(known, l.Interface)
	}
	return &usageError{text: "there is no link " + name + " in " + profile.File, hint: "its links are: " + strings.Join(known, ", ")}
}

// loadPlan reads the profile and compiles it for the kernel as found. It keeps
// the links named on the command line, but only then: what one may hold depends
// on the others.
func loadPlan(c *cli.Context, found plan.State) (plan.Plan, error) {
	profile, err := config.Load(profilePath(c))
	if err != nil {
		return plan.Plan{}, err
	}
	if err := checkLinks(c, profile); err != nil {
		return plan.Plan{}, err
	}
	wanted := plan.Compile(profile, found)
	wanted.Links = slices.DeleteFunc(wanted.Links, func(l plan.Link) bool { return !isAsked(c, l.Interface) })
	return wanted, nil
}

// haveProfile tells whether doctor and status can compare with a profile: one
// was named, or the default one exists. One that may not be looked for is for
// the reader to complain about.
func haveProfile(c *cli.Context) bool {
	if c.IsSet("profile") && c.String("profile") != "" {
		return true
	}
	_, err := os.Stat(profilePath(c))
	return !errors.Is(err, fs.ErrNotExist)
}
