// Renders deploy/helm/duka as `helm template` does, with Go's templates and Helm's own functions (sprig), where helm itself
// cannot be had: helm-template <chart> <release> <values as JSON>
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(chart, name string) map[string]interface{} {
	text, err := os.ReadFile(filepath.Join(chart, name))
	must(err)
	values := map[string]interface{}{}
	must(yaml.Unmarshal(text, &values))
	return values
}

// Maps are merged, everything else is replaced.
func merge(into, from map[string]interface{}) {
	for name, value := range from {
		own, isOwn := into[name].(map[string]interface{})
		new, isNew := value.(map[string]interface{})
		if isOwn && isNew {
			merge(own, new)
		} else {
			into[name] = value
		}
	}
}

func main() {
	chart, release := os.Args[1], os.Args[2]
	values, own := read(chart, "values.yaml"), map[string]interface{}{}
	must(json.Unmarshal([]byte(os.Args[3]), &own))
	merge(values, own)
	about := map[string]interface{}{}
	for name, value := range read(chart, "Chart.yaml") {
		about[strings.ToUpper(name[:1])+name[1:]] = value
	}

	all := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	functions["toYaml"] = func(value interface{}) string {
		text, err := yaml.Marshal(value)
		must(err)
		return strings.TrimSuffix(string(text), "\n")
	}
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	all.Funcs(functions)

	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	must(err)
	sort.Strings(files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		must(err)
	}
	data := map[string]interface{}{
		"Values":  values,
		"Chart":   about,
		"Release": map[string]interface{}{"Name": release, "Namespace": "default", "Service": "Helm"},
	}
	for _, file := range files {
		if strings.HasSuffix(file, ".yaml") {
			fmt.Println("---")
			must(all.ExecuteTemplate(os.Stdout, filepath.Base(file), data))
		}
	}
}
