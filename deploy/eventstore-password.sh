#!/bin/sh
# Gives EventStoreDB's `admin` the password of the settings instead of the well-known one. Does nothing when that
# has been done.
set -eu

readonly ADMIN=${EVENTSTORE_HTTP:-https://eventstore:2113}/users/admin
readonly ATTEMPTS=60

# ask <password> <url> [more lines of curl's configuration]: answers with the status. No password is in a list of processes.
ask() {
  printf 'user = "admin:%s"\nurl = "%s"\n%s\n' "$1" "$2" "${3-}" |
    curl --silent --max-time 10 --cacert /trust/ca.crt --config - --output /dev/null --write-out '%{http_code}' || true
}

change=$(
  echo 'header = "content-type: application/json"'
  printf 'data = "{\\"currentPassword\\":\\"changeit\\",\\"newPassword\\":\\"%s\\"}"\n' "$EVENTSTORE_PASSWORD"
)

attempt=0
# A new server creates its users a moment after it begins to answer.
while [ "$(ask "$EVENTSTORE_PASSWORD" "$ADMIN")" != 200 ]; do
  ask changeit "$ADMIN/command/change-password" "$change" >/dev/null
  attempt=$((attempt + 1))
  if [ "$attempt" -ge "$ATTEMPTS" ]; then
    echo "EventStoreDB's admin has neither EVENTSTORE_PASSWORD nor its first password." >&2
    exit 1
  fi
  sleep 1
done
