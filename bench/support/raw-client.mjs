// A small HTTP/1.1 client on a raw socket, so that the load generator takes little of the two cores that it shares with
// the server. It reads replies with a Content-Length, or in chunks of JSON text, one at a time.
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
/** JSON text has no such line. */
const LAST_CHUNK = '\r\n0\r\n\r\n';

export class RawClient {
  #socket;
  #chunks = [];
  #received = 0;
  /** Begin and end of the body, once the head has been read. */
  #bodyStart = 0;
  #expected;
  #isChunked = false;
  #waiting;

  static open(port) {
    return new Promise((resolve, reject) => {
      const client = new RawClient();
      client.#socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(client));
      client.#socket.on('error', (error) => (client.#waiting ? client.#waiting.reject(error) : reject(error)));
      client.#socket.on('data', (chunk) => client.#take(chunk));
      client.#socket.on('close', () => client.#waiting?.reject(new Error('The server closed the connection.')));
    });
  }

  /** @returns {Promise<{status: number, body: string}>} */
  request(bytes) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #take(chunk) {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    // The pieces of a long reply are joined once.
    if (this.#expected === undefined) this.#readHead();
    if (this.#expected === Infinity && this.#isWhole()) this.#expected = this.#received;
    if (this.#expected === undefined || this.#received < this.#expected) return;
    const reply = this.#joined();
    const written = reply.toString('utf8', this.#bodyStart, this.#expected);
    const body = this.#isChunked ? written.replaceAll(/(?:^|\r\n)[0-9a-f]+\r\n(?:\r\n$)?/g, '') : written;
    const rest = reply.subarray(this.#expected);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#received = rest.length;
    this.#expected = undefined;
    const { resolve } = this.#waiting;
    this.#waiting = undefined;
    resolve({ status: Number(reply.latin1Slice(9, 12)), body });
  }

  #readHead() {
    const start = this.#joined();
    const headEnd = start.indexOf(HEAD_END);
    if (headEnd === -1) return;
    this.#bodyStart = headEnd + HEAD_END.length;
    const length = /\r\ncontent-length: (\d+)/i.exec(start.latin1Slice(0, headEnd))?.[1];
    this.#isChunked = /\r\ntransfer-encoding: chunked/i.test(start.latin1Slice(0, headEnd));
    if (this.#isChunked) {
      this.#expected = Infinity;
      return;
    }
    if (length === undefined) throw new Error(`A reply without a Content-Length: ${start.latin1Slice(0, headEnd)}`);
    this.#expected = this.#bodyStart + Number(length);
  }

  /** Whether the last chunk of a reply in chunks has come. */
  #isWhole() {
    const end = Buffer.concat(
      this.#chunks.slice(-LAST_CHUNK.length).map((chunk) => chunk.subarray(-LAST_CHUNK.length)),
    );
    return end.latin1Slice().endsWith(LAST_CHUNK);
  }

  #joined() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0];
  }
}

function head(method, path, authorization, more = '') {
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nUser-Agent: Bench/1\r\n${more}\r\n`;
}

function content(type, length) {
  return `Content-Type: ${type}\r\nContent-Length: ${length}\r\n`;
}

export function formRequest(method, path, authorization, fields) {
  const body = new URLSearchParams(fields).toString();
  const type = content('application/x-www-form-urlencoded', Buffer.byteLength(body));
  return Buffer.from(head(method, path, authorization, type) + body);
}

export function getRequest(path, authorization) {
  return Buffer.from(head('GET', path, authorization));
}

/** A form with one file. */
export function uploadRequest(path, authorization, name, bytes) {
  const part = `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const end = '\r\n--b--\r\n';
  const type = content('multipart/form-data; boundary=b', part.length + bytes.length + end.length);
  return Buffer.concat([Buffer.from(head('POST', path, authorization, type) + part), bytes, Buffer.from(end)]);
}

export function basic(email, key) {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}

/** A request to a floor, without credentials. */
export function postRequest(path, body) {
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
