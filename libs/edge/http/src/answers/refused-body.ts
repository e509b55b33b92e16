import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A file of the largest size that is refused, with room for a larger limit of files. */
const DROPPED_BYTES_MAX = 32 * 1024 * 1024;
/** Time without a byte of the body after which no more is expected. */
const STALLED_MS = 1_000;
/** Time for the whole rest of the body, before the answer, and once more before the end of the connection. */
const DROPPING_MS_MAX = 5_000;

/** Whether a part of the request's body is still to come. */
export function awaitsBody({ headers, complete, destroyed }: IncomingMessage): boolean {
  return (
    !complete && !destroyed && (headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0)
  );
}

/**
 * Answers a request whose body has not been received, and is not wanted. The connection serves further requests when
 * the rest of the body arrives within bounds of bytes and time. Otherwise the answer says `Connection: close`.
 */
export function answerWithoutBody(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  content: string,
): void {
  const head = { ...headers, 'content-length': Buffer.byteLength(content) };
  const isTooLarge = Number(request.headers['content-length']) > DROPPED_BYTES_MAX;
  if (!response.shouldKeepAlive || isTooLarge) {
    answerAndClose(request, response, status, head, content);
    return;
  }
  dropBody(request, DROPPED_BYTES_MAX, (isWhole) => {
    if (isWhole) response.writeHead(status, head).end(content);
    else answerAndClose(request, response, status, head, content);
  });
}

/**
 * Sends the whole answer, but ends it, and with it the connection, only when the body has arrived or its time is over: the end of a connection with
 * unread data resets it, and the client could lose the answer.
 */
function answerAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  head: OutgoingHttpHeaders,
  content: string,
): void {
  response.writeHead(status, { ...head, connection: 'close' });
  response.flushHeaders();
  response.write(content);
  dropBody(request, Infinity, () => response.end());
}

/**
 * Reads and drops the rest of the body.
 * @param done told whether it has arrived whole
 */
function dropBody(request: IncomingMessage, bytesMax: number, done: (isWhole: boolean) => void): void {
  let bytes = 0;
  let bytesBefore = 0;
  const untilMs = performance.now() + DROPPING_MS_MAX;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > bytesMax) end();
  };
  const look = (): void => {
    if (bytes === bytesBefore || performance.now() > untilMs) end();
    bytesBefore = bytes;
  };
  let isDone = false;
  const end = (): void => {
    if (isDone) return;
    isDone = true;
    clearInterval(timer);
    request.off('data', count).off('end', end).off('close', end);
    done(request.complete);
  };
  // After a delay of this process, what has arrived meanwhile is read first.
  const timer = setInterval(() => setImmediate(look), STALLED_MS);
  request.on('data', count).once('end', end).once('close', end).resume();
}
