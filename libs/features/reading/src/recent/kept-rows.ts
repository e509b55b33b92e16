import { Injectable } from '@nestjs/common';
import { crc32 } from 'node:zlib';
import { type Checkpoint, EventStore, type RecordedEvent, streams } from '#event-store';
import { type JsonObject, nextSlice } from '#kernel';
import { KeyValueStore } from '#read-store';
import { CHUNK_SIZE, chunkOf } from '../flags/id-chunk.js';
import { RecentRows, RowBlock, type RowPlace, type RowTraits } from './recent-rows.js';

const KIND = 'recent-messages';
const HEAD = 'head';
/** Grows when rows are made otherwise. */
const VERSION = 2;
/** With more messages since, the rest of a start is as slow as without what is kept. */
const SINCE_MAX = 20_000;
/** A chunk with more of what singles out recipients is not kept, and neither are those before it. */
const CHUNK_BYTES_MAX = 4_000_000;
/** Prefixes of the streams whose events are read at a start. */
const READ = [streams.messages, streams.allMessageChanges];
/** A number of a place, and a sender with its bits. */
const ROW_BYTES = 6;

interface Head {
  readonly version: number;
  /** The last event that is in the rows, and where it is: in another log there is another one. */
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly checkpoint: Checkpoint;
  readonly from: number;
  readonly next: number;
}

interface KeptBlock {
  /** Of the head to which it belongs. */
  readonly position: number;
  readonly chunk: number;
  readonly places: readonly RowPlace[];
  /** Numbers of these places and senders of the chunk, in base64. */
  readonly columns: string;
  readonly traits: readonly (readonly [index: number, traits: RowTraits])[];
}

/** Rows up to the head's event, and what has happened since. */
export interface FoundRows {
  readonly rows: RecentRows;
  /** @throws DamagedRecord, UnreadableEvent, EventStoreUnavailable */
  readonly since: AsyncIterable<readonly RecordedEvent[]>;
}

/**
 * The rows of recent messages in the store of keys, for the next start. What is damaged, of another log, or interrupted is not found:
 * the rows are read from the read models then.
 */
@Injectable()
export class KeptRows {
  constructor(
    private readonly side: KeyValueStore,
    private readonly events: EventStore,
  ) {}

  /** Position of the last event that is in the rows which this process or another one has kept. */
  async position(): Promise<number | undefined> {
    return (await this.#head())?.position;
  }

  /** Keeps the rows as they are at the call. @param last the last event that is in them */
  async keep(rows: RecentRows, last: RecordedEvent): Promise<void> {
    const { position, stream, revision, id } = last;
    const { from, next } = rows;
    const copies = rows.blocks.map((block) => ({ block: block.copy(), places: rows.places }));
    for (const { block, places } of copies.reverse()) {
      const kept = packed(block, places, position);
      if (kept === undefined) break;
      await this.side.put(KIND, idOf(block.chunk), kept);
      await nextSlice();
    }
    const checkpoint = this.events.checkpointAfter(last);
    const head: Head = { version: VERSION, position, stream, revision, id, checkpoint, from, next };
    // Last: without it, or with that of another position, the others count for nothing.
    await this.side.put(KIND, HEAD, sealed(head));
  }

  /**
   * The rows that were kept, unless too much has happened since.
   * @param position up to which the events since are wanted
   * @param next ID of the next message there
   */
  async find(position: number, next: number, blocksMax?: number): Promise<FoundRows | undefined> {
    const head = await this.#head();
    if (head?.version !== VERSION || head.position > position || next - head.next > SINCE_MAX) return undefined;
    const [known] = await this.events.readStream(head.stream, { from: head.revision, limit: 1 });
    if (known?.id !== head.id || known.position !== head.position) return undefined;
    const rows = new RecentRows(head.next, head.next, blocksMax);
    for (let chunk = chunkOf(head.next - 1); rows.hasRoom && rows.from > head.from; chunk--) {
      const kept = opened(await this.side.get(KIND, idOf(chunk))) as KeptBlock | undefined;
      if (kept?.position !== head.position || kept.chunk !== chunk) break;
      rows.prependBlock(Math.max(head.from, chunk * CHUNK_SIZE), unpacked(kept), kept.places);
    }
    return rows.blocks.length === 0 ? undefined : { rows, since: this.#since(head.checkpoint, position) };
  }

  async #head(): Promise<Head | undefined> {
    return opened(await this.side.get(KIND, HEAD)) as Head | undefined;
  }

  async *#since(after: Checkpoint, position: number): AsyncGenerator<readonly RecordedEvent[], void, void> {
    for await (const page of this.events.readAll({ after, streamPrefixes: READ })) {
      yield page.filter((event) => event.position <= position);
      if ((page.at(-1)?.position ?? 0) >= position) return;
      await nextSlice();
    }
  }
}

/** Whether a start reads the event again, when it came after what was kept. */
export function isReadAgain({ stream }: RecordedEvent): boolean {
  return READ.some((prefix) => stream.startsWith(prefix));
}

/** Chunks take turns, so that there are never more than the rows have. */
function idOf(chunk: number): string {
  return `chunk-${chunk % RecentRows.BLOCKS_MAX}`;
}

function packed(block: RowBlock, all: readonly RowPlace[], position: number): JsonObject | undefined {
  const numbers = new Map<number, number>();
  const places: RowPlace[] = [];
  const columns = new DataView(new ArrayBuffer(CHUNK_SIZE * ROW_BYTES));
  for (const [index, number] of block.places.entries()) {
    const place = all[number - 1];
    if (place === undefined) continue;
    let own = numbers.get(number);
    if (own === undefined) numbers.set(number, (own = places.push(place)));
    columns.setUint16(index * ROW_BYTES, own);
    columns.setUint32(index * ROW_BYTES + 2, block.senders[index] ?? 0);
  }
  const kept: KeptBlock = {
    position,
    chunk: block.chunk,
    places,
    columns: Buffer.from(columns.buffer).toString('base64'),
    traits: [...block.traits],
  };
  const value = sealed(kept);
  return value.text.length > CHUNK_BYTES_MAX ? undefined : value;
}

function unpacked({ chunk, columns, traits }: KeptBlock): RowBlock {
  const block = new RowBlock(chunk, new Map(traits));
  const bytes = Buffer.from(columns, 'base64');
  for (let index = 0; index < CHUNK_SIZE; index++) {
    block.places[index] = bytes.readUInt16BE(index * ROW_BYTES);
    block.senders[index] = bytes.readUInt32BE(index * ROW_BYTES + 2);
  }
  return block;
}

interface Sealed {
  readonly text: string;
  readonly sum: number;
}

function sealed(value: object): Sealed & JsonObject {
  const text = JSON.stringify(value);
  return { text, sum: crc32(text) };
}

/** Undefined when there is nothing, or nothing that is as it was written. */
function opened(value: JsonObject | undefined): unknown {
  const { text, sum } = (value ?? {}) as Partial<Sealed>;
  return typeof text === 'string' && crc32(text) === sum ? JSON.parse(text) : undefined;
}
