import { createReadStream } from 'node:fs';
import type { MessageLine, Story } from './export-row.js';

const NEWLINE = 0x0a;

/** A line, and where the next one begins. */
export interface FileLineAt {
  readonly text: string;
  /** In bytes. */
  readonly end: number;
}

/** The whole lines of a file, none when it does not exist; the rest of one that was broken off is left out. */
export async function* linesOf(path: string): AsyncGenerator<FileLineAt, void, void> {
  let rest: Buffer[] = [];
  let offset = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, at)]);
      offset += line.length + 1;
      [rest, from] = [[], at + 1];
      yield { text: line.toString('utf8'), end: offset };
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
}

/** The messages of a file of lines about messages. */
export async function* storiesOf(path: string): AsyncGenerator<Story, void, void> {
  let lines: MessageLine[] = [];
  for await (const { text } of linesOf(path)) {
    const line = JSON.parse(text) as MessageLine;
    const id = lines[0]?.message_id;
    if (id !== undefined && id !== line.message_id) {
      yield { id, lines };
      lines = [];
    }
    lines.push(line);
  }
  const [first] = lines;
  if (first !== undefined) yield { id: first.message_id, lines };
}
