// Uploads files at the same time, each with other content, and says how many succeeded.
//   node uploader.mjs PORT COUNT BYTES AUTHORIZATION,…
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { Readable } from 'node:stream';

// Clients are on other machines: they must not take the server's processors, least of all while they fill the kernel's buffers.
setPriority(constants.priority.PRIORITY_LOW);

const [port, count, bytes, users] = process.argv.slice(2);
const authorizations = users.split(',');
const CHUNK = randomBytes(64 * 1024);
const HEAD = '--b\r\ncontent-disposition: form-data; name="f"; filename="noise.bin"\r\n\r\n';
const TAIL = '\r\n--b--\r\n';

function* body() {
  yield Buffer.from(HEAD);
  yield randomBytes(16);
  for (let left = Number(bytes) - 16; left > 0; left -= CHUNK.length)
    yield CHUNK.subarray(0, Math.min(left, CHUNK.length));
  yield Buffer.from(TAIL);
}

function upload(index) {
  return new Promise((done) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/api/v1/user_uploads',
        headers: {
          authorization: authorizations[index % authorizations.length],
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': HEAD.length + Number(bytes) + TAIL.length,
        },
        agent: false,
      },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () => {
          if (answer.statusCode !== 200) console.error(answer.statusCode, text);
          done(answer.statusCode === 200);
        });
      },
    );
    sent.on('error', (error) => {
      console.error(error.message);
      done(false);
    });
    Readable.from(body(), { objectMode: false }).pipe(sent);
  });
}

const outcomes = await Promise.all(Array.from({ length: Number(count) }, (_, index) => upload(index)));
console.log(`${outcomes.filter(Boolean).length} uploaded`);
