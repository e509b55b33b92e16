import type { FastifyReply } from 'fastify';
import type { OutgoingHttpHeaders } from 'node:http';
import { Slices } from '#kernel';
import { taken } from './success.js';

/** One JSON object on each line. */
const LINES_TYPE = 'application/jsonl; charset=utf-8';

/** Lines are written together up to this length. */
const WRITTEN_TOGETHER_LENGTH = 65_536;
/** Lines that are slow to come are written after this time. */
const WRITTEN_AFTER_MS = 50;

/**
 * Answers with JSON Lines, written in slices and no faster than the client takes them. The head is sent with the first line, so that
 * a refusal before it is answered as usual; after a failure later, the connection is cut off. A client that goes away ends the rows.
 */
export async function sendLines(reply: FastifyReply, rows: AsyncIterable<object>): Promise<void> {
  const iterator = rows[Symbol.asyncIterator]();
  let row = await iterator.next();
  reply.code(200).header('content-type', LINES_TYPE).hijack();
  const { raw } = reply;
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
    const slices = new Slices();
    let [text, heldSinceMs] = ['', performance.now()];
    for (; row.done !== true && !raw.destroyed; row = await iterator.next()) {
      text += `${JSON.stringify(row.value)}\n`;
      if (text.length >= WRITTEN_TOGETHER_LENGTH || performance.now() - heldSinceMs > WRITTEN_AFTER_MS) {
        await taken(raw, text);
        [text, heldSinceMs] = ['', performance.now()];
      }
      if (slices.isOver) await slices.next();
    }
    await taken(raw, text);
    raw.end();
  } catch (error) {
    raw.destroy();
    throw error;
  } finally {
    await iterator.return?.();
  }
}
