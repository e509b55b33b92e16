# For .ci/run and .ci/nightly: runs steps one after the other, counts what passed and failed, and ends only processes that it
# started. The caller sets DEADLINE_S, for all steps together.
readonly TMP="$(mktemp -d)"
passed=0 failed=0 current=''
# What `summary` repeats at the end, where a reader looks first, and the only part that may be kept.
readonly FAILURES="$TMP/failures" MOST_OF_FAILURES=60000
# Of what failed and is no test: the end of its output.
readonly LINES_OF_OUTPUT=60
# By the name of a step that runs beside others: the process, and when it was started; of a test run also its result.
declare -A beside=() began=() results=()

finish() {
  local process
  # `timeout` leads the process group of its step, once it runs.
  for process in $current "${beside[@]}"; do
    kill -TERM -- "-$process" 2>/dev/null || kill -TERM "$process" 2>/dev/null
  done
  rm -rf "$TMP"
}
trap finish EXIT
trap 'exit 130' INT TERM

# run <name> <limit in seconds> <command…>: shows and keeps its output; the command's status, or 124 when it took too long.
run() {
  local output="$TMP/$1.out" limit=$2 left=$((DEADLINE_S - SECONDS)) status shown
  shift 2
  ((left < 1)) && { echo 'Out of time.' | tee "$output"; return 124; }
  : >"$output"
  timeout --kill-after=15 "$((limit < left ? limit : left))" "$@" >"$output" 2>&1 &
  current=$!
  tail -n +1 -f -s 0.2 --pid="$current" "$output" &
  shown=$!
  wait "$current"
  status=$?
  wait "$shown"
  current=''
  return "$status"
}

report() { # <name> <status> <started, in SECONDS>
  local result=ok
  (($2 == 0)) || { result="FAILED ($2)"; echo "$1: $result" >>"$FAILURES"; }
  echo "--- $1: $result, $((SECONDS - $3)) s"
}

# step <name> <limit> <command…>
step() {
  local name=$1 limit=$2 started=$SECONDS
  shift 2
  printf '\n=== %s\n' "$name"
  run "$name" "$limit" "$@"
  count_step "$name" $? "$started"
}

# count_step <name> <status> <started, in SECONDS>: counts it as one; the status.
count_step() {
  if (($2 == 0)); then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  report "$@"
  (($2 == 0)) || end_of_output "$1"
  return "$2"
}

end_of_output() { # <name>
  tail -n "$LINES_OF_OUTPUT" "$TMP/$1.out" | sed 's/^/    /' >>"$FAILURES"
}

# begin <name> <limit> <command…>: a step that runs beside those that follow, until `collect` waits for it and shows its output.
begin() {
  local name=$1 limit=$2 left=$((DEADLINE_S - SECONDS))
  shift 2
  began[$name]=$SECONDS
  # timeout refuses less than nothing, and takes 0 for no limit.
  ((left < 1)) && left=1
  timeout --kill-after=15 "$((limit < left ? limit : left))" "$@" >"$TMP/$name.out" 2>&1 &
  beside[$name]=$!
}

# begin_tests <name> <limit> <command that runs jest…>: the same for a test run, whose tests `collect` counts.
begin_tests() {
  local name=$1 limit=$2
  shift 2
  results[$name]=$(result_of "$name")
  begin "$name" "$limit" "$@" --ci --json --outputFile="${results[$name]}"
}

# collect <name of a step that was begun>
collect() {
  local name=$1 status
  printf '\n=== %s\n' "$name"
  wait "${beside[$name]}"
  status=$?
  unset "beside[$name]"
  cat "$TMP/$name.out"
  if [[ -n ${results[$name]:-} ]]; then
    count_tests "$name" "$status" "${began[$name]}" "${results[$name]}"
    return "$status"
  fi
  count_step "$name" "$status" "${began[$name]}"
}

# tests <name> <limit> <command that runs jest…>
tests() {
  local name=$1 limit=$2 started=$SECONDS result
  shift 2
  result=$(result_of "$name")
  printf '\n=== %s\n' "$name"
  run "$name" "$limit" "$@" --ci --json --outputFile="$result"
  count_tests "$name" $? "$started" "$result"
}

result_of() { # <name>
  echo "$TMP/${1//[^[:alnum:]]/-}.json"
}

# count_tests <name> <status> <started, in SECONDS> <result of Jest>: counts each; a suite that could not run is one failure.
count_tests() {
  local name=$1 status=$2 started=$3 result=$4 counts
  if counts=$(node -e '
    const result = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(result.numPassedTests, result.numFailedTests + result.numRuntimeErrorTestSuites, result.numPendingTests);
  ' "$result" 2>/dev/null); then
    local tests_passed tests_failed skipped
    read -r tests_passed tests_failed skipped <<<"$counts"
    # A run that found nothing to do, or failed outside any test, is a failure as well.
    ((tests_failed == 0 && (status != 0 || tests_passed == 0))) && tests_failed=1
    passed=$((passed + tests_passed)) failed=$((failed + tests_failed))
    echo "$tests_passed passed, $tests_failed failed, $skipped skipped"
  else
    failed=$((failed + 1))
    echo "No result of the test run."
  fi
  report "$name" "$status" "$started"
  # Without a result, it was ended: its output says by which suite.
  ((status == 0)) || node .ci/failures.mjs "$result" >>"$FAILURES" 2>/dev/null || end_of_output "$name"
}

summary() {
  if [[ -s $FAILURES ]]; then
    printf '\n=== what failed\n'
    head -c "$MOST_OF_FAILURES" "$FAILURES"
  fi
  printf '\n%s s\n%s passed, %s failed\n' "$SECONDS" "$passed" "$failed"
  ((failed == 0))
  exit
}
