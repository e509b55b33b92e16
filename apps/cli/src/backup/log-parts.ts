import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { EventStore, RecordedEvent } from '#event-store';
import type { JsonObject } from '#kernel';
import { writeDurably } from './durable-file.js';
import { type BackupPart, BackupProblem, type Manifest, PART_TEXT_BYTES_MAX, readWhole, sha256Of } from './manifest.js';

/** Text of a part: little enough to be compressed at once, and to be written again when the next backup adds to it. */
const PART_TEXT_BYTES = 8 * 1024 * 1024;

/** The first level has most of the gain, and leaves the machine to its server. */
const COMPRESSION = { level: 1 };

const compress = promisify<Buffer, { level: number }, Buffer>(gzip);
const uncompress = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

/** Consecutive events, as the text of a part. */
export interface PartText {
  readonly text: Buffer;
  readonly events: number;
  readonly first: RecordedEvent<object>;
  readonly last: RecordedEvent<object>;
}

/** Divides events into the texts of parts. The last one may be small. */
export async function* partTexts(
  events: AsyncIterable<RecordedEvent<object>>,
): AsyncGenerator<PartText, void, undefined> {
  let lines: Buffer[] = [];
  let bytes = 0;
  let first: RecordedEvent<object> | undefined;
  let last: RecordedEvent<object> | undefined;
  for await (const event of events) {
    const line = Buffer.from(`${lineOf(event)}\n`);
    lines.push(line);
    bytes += line.length;
    first ??= event;
    last = event;
    if (bytes < PART_TEXT_BYTES) continue;
    yield { text: Buffer.concat(lines), events: lines.length, first, last };
    [lines, bytes, first] = [[], 0, undefined];
  }
  if (first !== undefined && last !== undefined)
    yield { text: Buffer.concat(lines), events: lines.length, first, last };
}

/** Whether the next backup adds to this part instead of beginning another one. */
export function isSmall(part: BackupPart): boolean {
  return part.text_bytes < PART_TEXT_BYTES / 2;
}

/** Writes a part, and reads it again to see that it is there. */
export async function writePart(
  folder: string,
  { text, events, first, last }: PartText,
): Promise<Omit<BackupPart, 'chain'>> {
  const content = await compress(text, COMPRESSION);
  const name = `log/${digits(first.position)}-${digits(last.position)}.jsonl.gz`;
  await writeDurably(join(folder, name), content);
  const part = {
    name,
    bytes: content.length,
    text_bytes: text.length,
    sha256: sha256Of(content),
    events,
    first: placeOf(first),
    last: placeOf(last),
  };
  await contentOf(folder, part);
  return part;
}

/**
 * Events of a part, as they were stored.
 * @throws BackupProblem when the part is missing or differs from what was written
 */
export async function readPart(folder: string, part: Omit<BackupPart, 'chain'>): Promise<RecordedEvent[]> {
  const content = await contentOf(folder, part);
  const text = await uncompress(content, { maxOutputLength: PART_TEXT_BYTES_MAX }).catch((error: unknown) => {
    throw new BackupProblem(part.name, 'it cannot be uncompressed.', { cause: error });
  });
  if (text.length !== part.text_bytes) throw new BackupProblem(part.name, 'its text has another length.');
  const lines = text.toString().split('\n');
  lines.pop();
  const events = lines.map((line, index) => eventIn(line, `${part.name}, line ${index + 1}`));
  const [first, last] = [events[0], events.at(-1)];
  const isAsTold =
    events.length === part.events && first?.position === part.first.position && last?.position === part.last.position;
  if (!isAsTold) throw new BackupProblem(part.name, 'its events are not those that the manifest tells of.');
  for (const [index, { position }] of events.entries())
    if (index > 0 && position <= (events[index - 1]?.position ?? 0))
      throw new BackupProblem(part.name, `line ${index + 1} is not behind the one before it.`);
  return events;
}

/** @throws BackupProblem when the part is missing or its hash differs */
export async function contentOf(folder: string, part: Omit<BackupPart, 'chain'>): Promise<Buffer> {
  const content = await readWhole(folder, part.name, PART_TEXT_BYTES_MAX);
  if (content.length !== part.bytes)
    throw new BackupProblem(part.name, `it has ${content.length} bytes instead of ${part.bytes}.`);
  if (sha256Of(content) !== part.sha256) throw new BackupProblem(part.name, 'its content was changed.');
  return content;
}

/** The log in a backup, as a source of `copyLog` and `verify`. */
export class BackupLog implements Pick<EventStore, 'head'> {
  constructor(
    private readonly folder: string,
    private readonly manifest: Manifest,
  ) {}

  head(): Promise<number> {
    return Promise.resolve(this.manifest.position);
  }

  /** @throws BackupProblem */
  async *readAll(): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    yield* this.after(0);
  }

  /** @throws BackupProblem */
  async *after(position: number): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    for (const part of this.manifest.parts) {
      if (part.last.position <= position) continue;
      const events = await readPart(this.folder, part);
      yield part.first.position > position ? events : events.filter((event) => event.position > position);
    }
  }
}

/** What a date can be. */
const TIME_MAX_MS = 8_640_000_000_000_000;

const Line = Type.Object(
  {
    position: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    /** What a store would not take, it refuses. */
    stream: Type.String({ maxLength: 256 }),
    revision: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    id: Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    type: Type.String({ maxLength: 1_000 }),
    data: Type.Record(Type.String(), Type.Unknown()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    recorded_at: Type.Integer({ minimum: -TIME_MAX_MS, maximum: TIME_MAX_MS }),
  },
  { additionalProperties: false },
);

const check = Compile(Line);

function lineOf(event: RecordedEvent<object>): string {
  const { position, stream, revision, id, type, data, metadata, recordedAtMs } = event;
  return JSON.stringify({ position, stream, revision, id, type, data, metadata, recorded_at: recordedAtMs });
}

function eventIn(line: string, place: string): RecordedEvent {
  let value: unknown;
  try {
    value = JSON.parse(line) as unknown;
  } catch {
    throw new BackupProblem(place, 'it is no JSON.');
  }
  if (!check.Check(value)) {
    const [, [first]] = check.Errors(value);
    throw new BackupProblem(place, `${first?.instancePath ?? ''} ${first?.message ?? 'it is malformed'}.`);
  }
  const { recorded_at: recordedAtMs, metadata, ...event } = value;
  return { ...event, metadata: metadata as JsonObject, recordedAtMs };
}

function placeOf({ position, recordedAtMs }: RecordedEvent): BackupPart['first'] {
  return { position, recorded_at: new Date(recordedAtMs).toISOString() };
}

function digits(position: number): string {
  return String(position).padStart(16, '0');
}
