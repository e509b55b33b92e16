// The floor for sends: a bare node:http server that reads a form body, writes its bytes to a file, and answers when one
// fdatasync for everything that waited has ended. No routing, no credentials, no JSON in, no projections.
import { createServer } from 'node:http';
import { syncedBatches } from './synced-batches.mjs';

let id = 0;
const take = syncedBatches(process.argv[2], (batch) => {
  for (const { response } of batch) {
    const text = JSON.stringify({ result: 'success', msg: '', id: ++id });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  }
});

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => take({ body: Buffer.concat(chunks), response }));
}).listen(0, '127.0.0.1', function () {
  console.log(`listening ${this.address().port}`);
});
