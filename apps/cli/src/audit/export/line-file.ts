import { createReadStream } from 'node:fs';
import type { MessageLine, Story } from './export-row.js';

const NEWLINE = 0x0a;

/** A line, and where the next one begins. */
export interface FileLineAt {
  readonly text: string;
  /** In bytes. */
  readonly end: number;
}

/** The whole lines of a file, from an offset in bytes; the rest of one that was broken off is left out. */
export async function* linesOf(path: string, start = 0): AsyncGenerator<FileLineAt, void, void> {
  let rest: Buffer[] = [];
  let offset = start;
  for await (const chunk of createReadStream(path, { start }) as AsyncIterable<Buffer>) {
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

/** A message, and where its lines begin, in bytes. */
export interface PlacedStory {
  readonly story: Story;
  readonly from: number;
}

/** The messages of a file of lines about messages. */
export async function* placedStoriesOf(path: string, start = 0): AsyncGenerator<PlacedStory, void, void> {
  let lines: MessageLine[] = [];
  let [from, end] = [start, start];
  for await (const { text, end: next } of linesOf(path, start)) {
    const line = JSON.parse(text) as MessageLine;
    const id = lines[0]?.message_id;
    if (id !== undefined && id !== line.message_id) {
      yield { story: { id, lines }, from };
      [lines, from] = [[], end];
    }
    lines.push(line);
    end = next;
  }
  const [first] = lines;
  if (first !== undefined) yield { story: { id: first.message_id, lines }, from };
}

export async function* storiesOf(path: string): AsyncGenerator<Story, void, void> {
  for await (const { story } of placedStoriesOf(path)) yield story;
}

/** The message whose lines begin there. */
export async function storyAt(path: string, from: number): Promise<Story> {
  for await (const { story } of placedStoriesOf(path, from)) return story;
  throw new Error(`${path} has no line at ${from}.`);
}
