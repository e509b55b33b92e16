# For .ci/smoke and .ci/python-client: starts the built server in a process group of its own and ends that group.
# Sets SITE, DATA_DIR and SERVER (the id of `npm start`, and of its group).
readonly WORK="$(mktemp -d)"
export DATA_DIR="$WORK/data" HOST=127.0.0.1 RATE_LIMITS=off
SERVER=''
# Against hanging only: other steps run beside, on a machine that may be slow.
readonly START_WITHIN_S=240 STOP_WITHIN_S=60

clean_up() {
  [[ -n $SERVER ]] && kill -KILL -- "-$SERVER" 2>/dev/null
  rm -rf "$WORK"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

fail() {
  echo "$1" >&2
  [[ -f $WORK/server.log ]] && tail -n 40 "$WORK/server.log" >&2
  exit 1
}

# Below the ports that connections are given: tests that run beside leave it free while the server is restarted.
PORT=$(node -e '
  const server = require("net").createServer();
  let port = 20_000 + ((process.pid * 97) % 12_000);
  server.on("error", () => server.listen(++port, "127.0.0.1")).on("listening", () => {
    console.log(port);
    server.close();
  });
  server.listen(port, "127.0.0.1");
')
export PORT
SITE="http://127.0.0.1:$PORT"

start_server() {
  setsid npm start >>"$WORK/server.log" 2>&1 &
  SERVER=$!
  local limit=$((SECONDS + START_WITHIN_S))
  until curl -fsS --max-time 10 -o /dev/null "$SITE/health/ready" 2>/dev/null; do
    kill -0 "$SERVER" 2>/dev/null || fail 'The server ended before it was ready.'
    ((SECONDS < limit)) || fail "The server was not ready within $START_WITHIN_S s."
    sleep 0.2
  done
}

# stop_server group|leader: SIGTERM to the whole group, as a terminal does, or to npm alone, as a supervisor does.
stop_server() {
  local target=$SERVER limit=$((SECONDS + STOP_WITHIN_S))
  [[ $1 == group ]] && target="-$SERVER"
  kill -TERM -- "$target" || fail 'The server was gone before it was told to stop.'
  while kill -0 -- "-$SERVER" 2>/dev/null; do
    ((SECONDS < limit)) || fail "The process group did not end within $STOP_WITHIN_S s of SIGTERM."
    sleep 0.1
  done
  wait "$SERVER" 2>/dev/null
  SERVER=''
}
