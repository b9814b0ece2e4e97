#!/usr/bin/env bash
# Builds the documentation of every module that has a catalogue, and takes each warning for an error.
# The result is in .build/documentation, a folder per module, to be served by any web server.
set -euo pipefail
cd "$(dirname "$0")/.."

python3 .ci/documented-examples.py

symbols=$(swift package dump-symbol-graph --minimum-access-level public | sed -n 's/^Files written to //p')
mkdir -p .build/documentation
graphs=$(mktemp -d)
trap 'rm -r "$graphs"' EXIT
for catalogue in Sources/*/*.docc; do
  module=$(basename "$catalogue" .docc)
  mkdir "$graphs/$module"
  # Extensions of other modules' types are in files of their own, as SQLiteSwiftly@Swift.
  # An executable has none.
  find "$symbols" -name "$module.symbols.json" -exec cp {} "$graphs/$module" \;
  find "$symbols" -name "$module@*.symbols.json" -exec cp {} "$graphs/$module" \;
  docc convert "$catalogue" --additional-symbol-graph-dir "$graphs/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --output-dir ".build/documentation/$module" --warnings-as-errors
  printf '%s\n' "documentation of $module: .build/documentation/$module"
done
