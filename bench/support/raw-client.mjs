// A small HTTP/1.1 client on a raw socket, so that the load generator takes as little as possible of the two cores that it
// shares with the server. It reads replies with a Content-Length, one at a time.
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');

export class RawClient {
  #socket;
  #buffer = Buffer.alloc(0);
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
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    const headEnd = this.#buffer.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = this.#buffer.toString('latin1', 0, headEnd);
    const chunked = /\r\ntransfer-encoding: chunked/i.test(head);
    const end = chunked
      ? this.#chunkedEnd(headEnd + 4)
      : headEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (end === undefined || this.#buffer.length < end) return;
    const body = this.#buffer.toString('utf8', headEnd + 4, end);
    this.#buffer = this.#buffer.subarray(end);
    const { resolve } = this.#waiting;
    this.#waiting = undefined;
    resolve({ status: Number(head.slice(9, 12)), body });
  }

  #chunkedEnd(from) {
    const last = this.#buffer.indexOf('0\r\n\r\n', from, 'latin1');
    return last === -1 ? undefined : last + 5;
  }
}

export function formRequest(method, path, authorization, fields) {
  const body = new URLSearchParams(fields).toString();
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nUser-Agent: Bench/1\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export function getRequest(path, authorization) {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nUser-Agent: Bench/1\r\n\r\n`,
  );
}

export function basic(email, key) {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
}
