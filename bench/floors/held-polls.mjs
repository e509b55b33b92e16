// The floor for delivery: a bare node:http server that holds every GET and, on a POST, answers the sender and all held
// requests with the same text. With a file, it first writes what was posted and syncs, one sync for all that waits. A GET names the
// ID of the last event that it knows, so that none is missed.
import { createServer } from 'node:http';
import { syncedBatches } from './synced-batches.mjs';

let held = [];
/** All events, as JSON: the one at 0 has the ID 1. */
const events = [];
const answer = (response, text) =>
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);

const textAfter = (known) => `{"result":"success","msg":"","events":[${events.slice(known).join(',')}]}`;

function publish(senders) {
  for (const { response } of senders) answer(response, '{"result":"success"}');
  const before = events.length;
  senders.forEach(() =>
    events.push(JSON.stringify({ id: events.length + 1, type: 'message', message: 'x'.repeat(900) })),
  );
  const text = textAfter(before);
  const all = held;
  held = [];
  for (const one of all) answer(one, text);
}

const file = process.argv[2];
const take = file === undefined ? (sender) => publish([sender]) : syncedBatches(file, publish);

createServer((request, response) => {
  if (request.method === 'GET') {
    const known = /\?(\d+)$/.exec(request.url)?.[1];
    if (known !== undefined && Number(known) < events.length) answer(response, textAfter(Number(known)));
    else held.push(response);
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => take({ body: Buffer.concat(chunks), response }));
}).listen(0, '127.0.0.1', function () {
  console.log(`listening ${this.address().port}`);
});
