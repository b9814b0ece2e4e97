# The steps of .ci/run and .ci/nightly, which both source this file. Needs Swift 6.3 or later and Debian's
# packages.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
log=$work/log
trap 'end_all; rm -rf "$work"' EXIT
ingest=$PWD/.build/release/ingest
data=../shared/data

# Prints how long the step took.
end_step() {
  [ -z "${step_start:-}" ] || printf -- '-- %s s\n' $((SECONDS - step_start))
  step_start=
}

# Prints the name of a step, and how long the previous one took.
step() {
  end_step
  step_start=$SECONDS
  printf '\n== %s\n' "$*"
}

# Runs functions at the same time, each in a folder of its own, and prints the output of one after another. Most of
# them leave a core idle.
at_once() {
  local name
  end_step
  # Each in a process group, which can be ended with all that it has started.
  set -m
  for name in "$@"; do
    in_folder "$name" </dev/null >"$work/$name.out" 2>&1 &
    processes+=($!)
  done
  set +m
  for name in "$@"; do
    local status=0
    wait "${processes[0]}" || status=$?
    processes=("${processes[@]:1}")
    cat "$work/$name.out"
    [ $status = 0 ] || exit $status
  done
}

# Runs a function in a folder of its own.
in_folder() {
  work+=/$1
  mkdir "$work"
  "$1"
  end_step
}

# Ends what at_once has started.
processes=()
end_all() { [ ${#processes[@]} = 0 ] || kill -- "${processes[@]/#/-}" 2>/dev/null || true; }

# Debian's Python, which has the packages of install_packages.
system() { /usr/bin/python3 Tests/System "$@"; }

# Logs the output, for the figures at the end.
logged() { tee -a "$log"; }

install_packages() {
  step "packages"
  local missing=() package
  for package in libsqlite3-dev zlib1g-dev pkg-config sqlite3 python3 python3-jsonschema strace e2fsprogs \
    xfsprogs python3-venv curl shellcheck systemd libpq-dev postgresql pgbouncer "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    $(command -v sudo) apt-get update -q
    # Offline, systemctl starts none of the services.
    $(command -v sudo) env DEBIAN_FRONTEND=noninteractive SYSTEMD_OFFLINE=1 apt-get install -qy "${missing[@]}"
  fi
}

check_sources() {
  step "format"
  swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks

  step "imports of C"
  imports() {
    grep -rlE "^ *(public |package |internal )?import $1$" Sources --include='*.swift' | cut -d/ -f2 | sort -u
  }
  [ "$(imports CSQLite)" = SQLiteSwiftly ]
  [ "$(imports CZlib)" = Compression ]
  [ "$(imports CLinux)" = Platform ]
  [ "$(imports CPostgreSQL)" = PostgreSQL ]
  # Foundation would add 50 MB of libraries, and FoundationEssentials 10 MB.
  [ "$(imports FoundationEssentials)" = SQLiteSwiftlyFoundation ]
  [ -z "$(imports Foundation)" ]
  # It is only for other programs: the command stores no dates.
  [ -z "$(imports SQLiteSwiftlyFoundation)" ]
  # Release builds must keep their checks.
  if grep -rnE 'Ounchecked|unsafeFlags' Package.swift Sources Benchmarks Tests; then exit 1; fi

  step "requirements"
  system Documentation.requirements

  step "links"
  system Documentation.links
  system Documentation.names

  step "English"
  system Documentation.english
}

# In a folder of its own, because two builds in one folder wait for each other. Only what the gate runs.
build_release() {
  step "release build"
  local product
  for product in ingest inject-faults generate-dumps; do
    swift build -c release --traits PostgreSQL --scratch-path .build/optimized --product "$product"
  done
  ln -sfn optimized/release .build/release
  if ldd "$ingest" | grep -E 'libFoundation\.so|ICU'; then exit 1; fi
}

# With the modules of build_tests.
check_interface() {
  step "public interface"
  system Interface.listings

  step "misuses that must not compile"
  Tests/System/Interface/must-not-compile
}

build_tests() {
  step "build of the tests"
  # Without what only debuggers and editors need.
  local flags=(--quiet --traits PostgreSQL -Xswiftc -gline-tables-only -Xswiftc -index-ignore-system-modules
    -Xswiftc -index-ignore-clang-modules)
  # The fuzz targets of .ci/nightly must compile, too.
  INGEST_FUZZ=1 swift build "${flags[@]}" --target fuzz
  swift build "${flags[@]}" --build-tests
}

# All tests, or those that --filter and --skip select. Those of the command use the one that INGEST names. A test may not
# be skipped for a missing tool: install_packages must install it.
run_tests() {
  step "tests"
  local status=0
  swift test --skip-build --traits PostgreSQL "$@" >"$work/tests.log" 2>&1 || status=$?
  # Only failures, warnings, and the figures.
  grep -aE '^(✘|↳|✔ Test run|bomb)|warning:|Fatal error|recorded an issue' "$work/tests.log" | logged
  if [ $status != 0 ]; then
    tail -n 60 "$work/tests.log"
    return $status
  fi
  if grep -a 'skipped: "missing' "$work/tests.log"; then return 1; fi
}

# Loads into a temporary server, also the real source files in folders that match a pattern.
check_postgresql() {
  step "PostgreSQL"
  local dumps
  mapfile -t dumps < <(compgen -G "$data/$1" || true; compgen -G "$data/gtfs-*")
  system PostgreSQL.loads "$ingest" "${dumps[@]}" | logged
  system PostgreSQL.tenants "$ingest" | logged
  system PostgreSQL.guests "$ingest" | logged
  system PostgreSQL.commands "$ingest" | logged
  system PostgreSQL.overloads "$ingest" | logged
  system PostgreSQL.citus "$ingest" | logged
}

# Converts lines of MODULE.SUITE into a filter for tests.
as_filter() { sed 's/\./\\./; s/$/\//' | paste -sd'|'; }

# Runs the matching tests of the SQLite layer.
test_under_valgrind() {
  step "tests under valgrind"
  # OpeningTests needs a running executable, which valgrind replaces. The random tests would take minutes,
  # and make no other calls.
  # Without fair scheduling, a thread that waits in a loop would keep the others from running.
  # Debian's valgrind cannot read clang's debug information of C.
  objcopy --strip-debug "$(swift build --show-bin-path)"/*PackageTests.xctest "$work/tests"
  clang -shared -fPIC -o "$work/sigsuspend.so" Tests/System/Sanitizers/sigsuspend.c
  env LD_PRELOAD="$work/sigsuspend.so" valgrind --quiet --fair-sched=yes \
    --suppressions=Tests/System/Sanitizers/valgrind.supp --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite --error-exitcode=1 "$work/tests" --testing-library swift-testing \
    --filter "$1" --skip 'OpeningTests|Random.*Tests|DefaultValueTests' 2>&1 |
    logged | sed -nE 's/.*(Test run with .*)/valgrind: \1/p' | logged
}

# Loads source files twice, and compares the bytes of both databases. Compares all fields and derived tables with
# Python's reading of the source files, and validates the report against its schema.
load_and_compare() {
  local source=$1
  shift
  "$ingest" --source "$source" --out "$work/first.sqlite" --report "$work/report.json" "$@"
  system Reports.schema "$work/report.json"
  "$ingest" --source "$source" --out "$work/second.sqlite" --quiet "$@"
  cmp "$work/first.sqlite" "$work/second.sqlite"
  system Catalog.rows "$source" "$work/first.sqlite"
  system Catalog.questions "$work/first.sqlite" "$source"
  system Catalog.answers "$work/first.sqlite" "$source"
  "$ingest" check "$work/first.sqlite"
  "$ingest" diff "$work/first.sqlite" "$work/second.sqlite"
  rm "$work"/*.sqlite
}

# Loads two folders of source files, and compares the output of ingest diff with Python's csv. Options after the
# folders apply to the second.
diff_and_compare() {
  local old=$1 new=$2
  shift 2
  "$ingest" --source "$old" --out "$work/old.sqlite" --quiet
  "$ingest" --source "$new" --out "$work/new.sqlite" --quiet "$@"
  local status=0
  "$ingest" diff --json "$work/old.sqlite" "$work/new.sqlite" >"$work/diff.json" || status=$?
  [ $status = 1 ]
  system Reports.schema --diff "$work/diff.json"
  system Catalog.differences "$old" "$new" "$work/diff.json"
  rm "$work"/*.sqlite "$work/diff.json"
}

run_main_job() {
  step "main job on the fixtures"
  load_and_compare fixtures/dumps
  load_and_compare fixtures/dumps-2020

  local snapshot
  for snapshot in rebrickable-2020-06-09 rebrickable-2025-04-01-no-inventory-parts; do
    if [ -d "$data/$snapshot" ]; then
      step "main job on $snapshot"
      case $snapshot in
        *-no-inventory-parts) load_and_compare "$data/$snapshot" --allow-missing inventory_parts ;;
        *) load_and_compare "$data/$snapshot" ;;
      esac
    else
      step "skipped: $snapshot is missing"
    fi
  done

  step "differences between the fixtures"
  diff_and_compare fixtures/dumps-2020 fixtures/dumps
}

compare_snapshots() {
  local old=$data/rebrickable-2020-06-09 new=$data/rebrickable-2025-04-01-no-inventory-parts
  step "differences between the snapshots"
  if [ -d "$old" ] && [ -d "$new" ]; then
    diff_and_compare "$old" "$new" --allow-missing inventory_parts
  else
    step "skipped: a snapshot is missing"
  fi
}

# The Pollock benchmark, if it is there.
check_pollock() {
  if [ ! -d "$data/Pollock" ]; then
    step "skipped: $data/Pollock is missing"
    return
  fi
  step "Pollock benchmark"
  system Families.pollock "$ingest" "$data/Pollock" | logged
}

# Other families, and Rebrickable's by its printed description.
check_families() {
  step "families by their descriptions, compared with Python and frictionless"
  local dumps=(fixtures/dumps fixtures/missing-parents/dumps) feeds=(--feed fixtures/gtfs/feed) folder
  for folder in "$data"/rebrickable-*; do [ ! -d "$folder" ] || dumps+=("$folder"); done
  for folder in "$data"/gtfs-*; do [ ! -d "$folder" ] || feeds+=(--feed "$folder"); done
  system Families.loads "$ingest" "${dumps[@]}" "${feeds[@]}" \
    --package fixtures/camera-traps/datapackage.json | logged
  system Families.described "$ingest" | logged
  system Families.encodings "$ingest" | logged
  system Frictionless.descriptions fixtures/datapackage/cases.json | logged
  system Frictionless.described "$ingest" fixtures/dumps fixtures/gtfs/feed | logged
  system Frictionless.values
}

# Follows links and updates in Datasette, changes a catalog with sqlite-utils, and checks the pages of reports and of the
# documentation.
browse_catalog() {
  step "in a browser"
  system "$@" Browser.catalog "$ingest"
  system "$@" Browser.updates "$ingest"
  system "$@" Browser.reports "$ingest"
  .ci/documentation.sh
  system "$@" Browser.site .build/site
}

# Checks metrics, alerts and the dashboard's queries with promtool.
check_monitoring() {
  step "monitoring"
  # Its package would also install the server.
  local promtool=$PWD/.build/promtool
  if [ ! -x "$promtool" ]; then
    (cd "$work" && apt-get download -q prometheus && dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool)
    mv "$work/usr/bin/promtool" "$promtool"
  fi
  local article=Sources/ingest/ingest.docc/Monitoring.md rules=Packaging/prometheus
  local run status
  # One of them has files that state a time.
  for run in "0 dumps-2020" "0 dumps" "0 broken/mixed-generations --max-shrink 100%" \
    "3 broken/missing-parent --max-rejects 9 --max-shrink 100%" "65 broken/missing-parent" "66 nowhere"; do
    # shellcheck disable=SC2086
    set -- $run
    status=0
    "$ingest" --source "fixtures/$2" --out "$work/catalog.sqlite" --quiet --metrics "$work/ingest.prom" \
      "${@:3}" 2>/dev/null || status=$?
    [ "$status" = "$1" ]
    "$promtool" check metrics <"$work/ingest.prom"
    cat "$work/ingest.prom" >>"$work/all.prom"
  done
  "$promtool" check rules "$rules/ingest.rules.yml"
  "$promtool" test rules "$rules/ingest.rules.test.yml"
  {
    printf 'groups:\n- name: dashboard\n  rules:\n'
    sed -n '/^### Dashboard/,/^## /s/^|.*| `\(.*\)` |$/\1/p' "$article" |
      awk '{ printf "  - record: query:%d\n    expr: %s\n", NR, $0 }'
  } >"$work/queries.yml"
  "$promtool" check rules "$work/queries.yml"
  # Used metrics exist, and all metrics are documented.
  local name
  for name in $(grep -ohE '\bingest_[a-z_]+' "$article" "$rules"/*.yml | sort -u); do
    grep -q "^$name{" "$work/all.prom" || { printf 'there is no metric %s\n' "$name"; exit 1; }
  done
  for name in $(sed -n 's/^# TYPE \([a-z_]*\) .*/\1/p' "$work/all.prom" | sort -u); do
    grep -q "^|.*\`$name\`.*|" "$article" || { printf '%s does not list %s\n' "$article" "$name"; exit 1; }
  done
  rm -r "$work"/catalog.sqlite* "$work"/*.prom
}

check_cookbook() {
  step "cookbook"
  "$ingest" --source fixtures/dumps --out "$work/cookbook.sqlite" --quiet
  system Documentation.cookbook "$work/cookbook.sqlite" --run
  if [ -d "$data/rebrickable-2020-06-09" ]; then
    "$ingest" --source "$data/rebrickable-2020-06-09" --out "$work/cookbook.sqlite" --quiet
    system Documentation.cookbook "$work/cookbook.sqlite"
    system Catalog.searches "$work/cookbook.sqlite"
  fi
  rm "$work/cookbook.sqlite"

  step "queries of other loaders"
  "$ingest" --source fixtures/dumps --out "$work/peers.sqlite" --quiet --sql Packaging/sql/rb-db.sql
  system Catalog.peers "$work/peers.sqlite" fixtures
  if [ -d "$data/rebrickable-2020-06-09" ]; then
    "$ingest" --source "$data/rebrickable-2020-06-09" --out "$work/peers.sqlite" --quiet --sql Packaging/sql
    system Catalog.peers "$work/peers.sqlite" 2020
  fi
  rm "$work/peers.sqlite"
}

# .ci/nightly builds the package, because its static binary needs a separate build.
check_packaging() {
  step "packaging"
  shellcheck .ci/documentation.sh Packaging/build-{deb,portable} Tests/System/Packaging/{clean-root,portable} Packaging/{download-dumps,notify-operator} Packaging/debian/p*
  system SourceFiles.downloads "$ingest" | logged
  system Packaging.notify

  local unit
  mkdir "$work/units"
  for unit in Packaging/systemd/*; do
    sed -e "s|=/usr/bin/ingest|=$ingest|" -e "s|=/usr/bin/download|=$PWD/Packaging/download|" \
      -e "s|=/usr/lib/ingest/|=$PWD/Packaging/|" "$unit" \
      >"$work/units/${unit##*/}"
  done
  systemd-analyze verify --man=no "$work"/units/*
}

build_package() {
  step "package"
  local package root=$work/package
  package=$(Packaging/build-deb "$work")
  git clone -q . "$work/elsewhere"
  cmp "$package" "$("$work/elsewhere/Packaging/build-deb" "$work/other")"
  lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$package"
  dpkg-deb --extract "$package" "$root"
  (cd "$root" && find . -type f | LC_ALL=C sort) | diff Tests/System/Packaging/package-contents.txt -
  # No Swift library, and nothing else that a clean machine does not have.
  objdump -p "$root/usr/bin/ingest" | awk '$1 == "NEEDED" { print $2 }' | sort |
    diff - <(printf '%s\n' ld-linux-x86-64.so.2 libc.so.6 libgcc_s.so.1 libm.so.6 libsqlite3.so.0 \
      libstdc++.so.6 libz.so.1)
  "$root/usr/bin/ingest" --source fixtures/dumps --out "$work/package.sqlite" --quiet
  man --warnings --local-file "$root"/usr/share/man/man1/*.gz >/dev/null
}

try_portable() {
  step "the portable binary and the wheel"
  Tests/System/Packaging/portable twice | logged
}

try_clean_root() {
  step "the README's commands in a clean root"
  Tests/System/Packaging/clean-root | logged
}

build_documentation() {
  step "documentation"
  system Documentation.picture "$ingest"
  .ci/documentation.sh | logged
}

# See Guarantees.md of the handbook.
print_figures() {
  step "figures of the checks"
  grep -aE '^(faults|bomb|fuzz|valgrind|download|portable|clean root|site|postgresql|sanitizers?)[ :]|^✔ Test run' "$log"
  printf '\npassed in %s s\n' "$SECONDS"
}
