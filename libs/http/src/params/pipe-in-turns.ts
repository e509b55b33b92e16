import { Semaphore } from '#kernel';
import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';

/**
 * Chunks of all bodies that are parsed at a time. Chunks that wait in memory outlive the collections of young garbage, and full
 * collections stop the server for some 30 ms each. A turn is for a chunk that has arrived, so a client that stalls holds none.
 */
const turns = new Semaphore(4);

/**
 * Pipes a large body to its parser, in turns with other bodies. The body waits until the parser has passed each chunk on.
 * @returns ends it: the rest of the body is read and dropped
 */
export function pipeInTurns(body: IncomingMessage, parser: Writable): () => void {
  let isOver = false;
  let endTurn = (): void => undefined;
  let latest = Promise.resolve();
  const parse = (chunk: Buffer): Promise<void> =>
    new Promise((done) => {
      endTurn = done;
      if (isOver) done();
      else
        parser.write(chunk, () => {
          done();
        });
    });
  body.on('data', (chunk: Buffer) => {
    if (isOver) return;
    body.pause();
    latest = turns.run(() => parse(chunk)).then(() => void body.resume());
  });
  const end = (): void => {
    if (!isOver) parser.end();
  };
  // The last chunk may not be parsed yet.
  body.once('end', () => void latest.then(end));
  return () => {
    isOver = true;
    endTurn();
    body.resume();
  };
}
