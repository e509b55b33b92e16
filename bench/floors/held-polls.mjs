// The floor for delivery: a bare node:http server that holds every GET and, on a POST, answers the poster and all that
// are held with one and the same text.
import { createServer } from 'node:http';

let held = [];
const headers = { 'content-type': 'application/json' };

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
    response.writeHead(200, headers).end('{"result":"success"}');
    for (const one of all) one.writeHead(200, headers).end(text);
  });
}).listen(0, '127.0.0.1', function () {
  console.log(`listening ${this.address().port}`);
});
