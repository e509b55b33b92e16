// The floor for delivery: a bare node:http server that holds every GET and, on a POST, answers the sender and all held
// requests with the same text.
import { createServer } from 'node:http';

let held = [];
const answer = (response, text) =>
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);

createServer((request, response) => {
  if (request.method === 'GET') {
    held.push(response);
    return;
  }
  request.resume();
  request.on('end', () => {
    const text = JSON.stringify({
      result: 'success',
      msg: '',
      events: [{ id: 1, type: 'message', message: 'x'.repeat(900) }],
    });
    const all = held;
    held = [];
    answer(response, '{"result":"success"}');
    for (const one of all) answer(one, text);
  });
}).listen(0, '127.0.0.1', function () {
  console.log(`listening ${this.address().port}`);
});
