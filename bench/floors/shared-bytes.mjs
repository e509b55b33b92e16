// Answers with the same bytes each time, from one buffer: the least that an answer of this length costs.
//   node bench/floors/shared-bytes.mjs BYTES
import { createServer } from 'node:http';

const all = Buffer.alloc(Number(process.argv[2]), 'x');
const none = Buffer.alloc(2, 'x');

const server = createServer((request, response) => {
  const body = request.url === '/all' ? all : none;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));
