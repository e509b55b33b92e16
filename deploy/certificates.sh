#!/bin/sh
# Makes a certificate authority and what EventStoreDB and MongoDB need to prove who they are; does again what is missing or
# runs out within 60 days. The authority's key stays in /authority, which no server sees.
set -eu
umask 077

readonly AUTHORITY=/authority TRUST=/trust
readonly AUTHORITY_DAYS=3650 SERVER_DAYS=730 RENEW_BEFORE_SECONDS=5184000

holds() { # <certificate>: whether it is there and lasts
  [ -s "$1" ] && openssl x509 -in "$1" -noout -checkend "$RENEW_BEFORE_SECONDS" >/dev/null
}

make_authority() {
  openssl req -x509 -newkey rsa:3072 -nodes -sha256 -days "$AUTHORITY_DAYS" -subj '/CN=Scrollback stores' \
    -addext 'keyUsage=critical,keyCertSign,cRLSign' -keyout "$AUTHORITY/ca.key" -out "$AUTHORITY/ca.crt" 2>/dev/null
  rm -f /eventstore/server.crt /mongo/server.crt
}

# make_server <folder> <common name> <host> <owner>
make_server() {
  extensions=$(mktemp)
  cat >"$extensions" <<END
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature, keyEncipherment
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = DNS:$3, DNS:localhost, IP:127.0.0.1
END
  # EventStoreDB reads keys in the older of the two PEM shapes only.
  openssl genrsa -traditional -out "$1/server.key" 3072 2>/dev/null
  openssl req -new -key "$1/server.key" -subj "/CN=$2" |
    openssl x509 -req -sha256 -days "$SERVER_DAYS" -CA "$AUTHORITY/ca.crt" -CAkey "$AUTHORITY/ca.key" \
      -set_serial "0x$(openssl rand -hex 16)" -extfile "$extensions" -out "$1/server.crt" 2>/dev/null
  # MongoDB wants both in one file.
  cat "$1/server.crt" "$1/server.key" >"$1/server.pem"
  rm -f "$extensions"
  chown -R "$4" "$1"
}

holds "$AUTHORITY/ca.crt" || make_authority
install -m 644 "$AUTHORITY/ca.crt" "$TRUST/ca.crt"
# EventStoreDB's nodes know each other by this common name.
holds /eventstore/server.crt || make_server /eventstore eventstoredb-node eventstore 1000:1000
holds /mongo/server.crt || make_server /mongo mongo mongo 999:999
# The members of a replica set know each other by this.
[ -s /mongo/keyfile ] || { openssl rand -base64 756 >/mongo/keyfile && chmod 400 /mongo/keyfile && chown 999:999 /mongo/keyfile; }
