// The floor for sends: a bare node:http server that reads a form body, writes its bytes to a file, and answers when one
// fdatasync for everything that waited has ended. No routing, no credentials, no JSON in, no projections.
import { fdatasync, openSync, write } from 'node:fs';
import { createServer } from 'node:http';

const file = openSync(process.argv[2], 'a');
let waiting = [];
let syncing = false;
let id = 0;

function sync() {
  if (syncing || waiting.length === 0) return;
  syncing = true;
  const batch = waiting;
  waiting = [];
  write(file, Buffer.concat(batch.map(({ body }) => body)), (writeError) => {
    if (writeError) throw writeError;
    fdatasync(file, (syncError) => {
      if (syncError) throw syncError;
      syncing = false;
      for (const { response } of batch) {
        const text = JSON.stringify({ result: 'success', msg: '', id: ++id });
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
        response.end(text);
      }
      sync();
    });
  });
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    waiting.push({ body: Buffer.concat(chunks), response });
    if (!syncing && waiting.length === 1) setImmediate(sync);
  });
}).listen(0, '127.0.0.1', function () {
  console.log(`listening ${this.address().port}`);
});
