package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/sqmctl/sqmctl/linklayer"
)

func typesCommand() *cli.Command {
	return &cli.Command{
		Name:      "types",
		Usage:     "list the access technologies a profile can name",
		ArgsUsage: noArguments,
		Description: `For each type: what it adds to every packet, and the headroom that is left
below the invoice rate unless the profile says otherwise.`,
		Flags:  []cli.Flag{jsonFlag},
		Action: types,
	}
}

type typeJSON struct {
	Name             string  `json:"name"`
	Title            string  `json:"title"`
	Overhead         int     `json:"overhead_bytes"`
	MPU              int     `json:"mpu_bytes"`
	Framing          string  `json:"framing"`
	Arithmetic       string  `json:"arithmetic"`
	UploadHeadroom   float64 `json:"upload_headroom_percent"`
	DownloadHeadroom float64 `json:"download_headroom_percent"`
}

func types(c *cli.Context) error {
	var rows []typeJSON
	for _, name := range linklayer.AccessNames() {
		a, _ := linklayer.AccessByName(name)
		e := a.Encapsulation
		rows = append(rows, typeJSON{a.Name, a.Title, e.Overhead, e.MPU, e.Framing.String(), a.Arithmetic,
			a.Headroom[linklayer.Egress].Percent, a.Headroom[linklayer.Ingress].Percent})
	}
	if c.Bool("json") {
		return json.NewEncoder(c.App.Writer).Encode(rows)
	}
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TYPE\tOVERHEAD\tMPU\tFRAMING\tHEADROOM UP/DOWN\tLINE")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%g %% / %g %%\t%s\n", r.Name, r.Overhead, r.MPU, r.Framing, r.UploadHeadroom, r.DownloadHeadroom, r.Title)
	}
	return w.Flush()
}
