import { randomUUID } from 'node:crypto';
import type { Position } from './log.js';
import { EventLog, TOMBSTONE_REVISION } from './log.js';
import { RememberedIds } from './remembered-ids.js';
import type { ProposedEvent } from './wire.js';

/** Expected revisions that are not numbers of events. */
export const NO_STREAM = -1;
export const ANY = -2;
export const STREAM_EXISTS = -4;

/** Outcome of a write: `revision` and `actual` are -1 without a stream. */
export type Outcome =
  | { kind: 'written'; revision: number; position: Position }
  | { kind: 'wrongRevision'; actual: number }
  | { kind: 'deleted' };

/** A stream: its events by revision, and the effect of its metadata and deletions. */
export interface StreamState {
  readonly name: string;
  /** Ordinals in the log; the index is the revision. */
  readonly ordinals: number[];
  /** Whether it was deleted for ever. */
  tombstoned: boolean;
  /** Earlier revisions are hidden; `Infinity` after a deletion that leaves the name free. */
  truncateBefore: number;
  maxCount: number;
}

const EMPTY = Buffer.alloc(0);
const METADATA_TYPE = '$metadata';
const TOMBSTONE_TYPE = '$streamDeleted';

function jsonEvent(type: string, text: string): ProposedEvent {
  return { id: randomUUID(), type, contentType: 'application/json', data: Buffer.from(text), metadata: EMPTY };
}

/** State of a node: the log, its streams, and recent event ids. */
export class Store {
  readonly log = new EventLog();
  readonly #streams = new Map<string, StreamState>();
  readonly #watchers: (() => void)[] = [];
  #remembered = new RememberedIds();

  constructor() {
    // Every node has it from the start, so no client's first event is the first of `$all`.
    this.#record(this.#open('$$$scavenges'), [jsonEvent(METADATA_TYPE, '{"$maxCount":1}')]);
  }

  /** Events stay, recent ids are forgotten. */
  restarted(): void {
    this.#remembered = new RememberedIds();
    this.log.restarted();
  }

  /** Calls back after each write. */
  onWritten(watcher: () => void): void {
    this.#watchers.push(watcher);
  }

  stream(name: string): StreamState | undefined {
    return this.#streams.get(name);
  }

  append(name: string, events: readonly ProposedEvent[], expected: number): Outcome {
    const stream = this.#streams.get(name);
    const checked = this.#check(name, stream, expected, events);
    if (checked !== 'write') return checked;
    if (events.length === 0) return this.#nothingWritten(stream);
    const open = stream ?? this.#open(name);
    const first = this.#record(open, events);
    const position = this.log.position(first + events.length - 1);
    if (open.truncateBefore === Infinity) this.#undelete(open, open.ordinals.length - events.length);
    return { kind: 'written', revision: open.ordinals.length - 1, position };
  }

  /** Deletes a stream whose name may be reused: its revisions continue. */
  delete(name: string, expected: number): Outcome {
    const checked = this.#check(name, this.#streams.get(name), expected, [{ id: randomUUID() }]);
    if (checked !== 'write') return checked;
    return this.#writeMetadata(name, `{"$tb":${TOMBSTONE_REVISION}}`);
  }

  /** Deletes a stream for ever. */
  tombstone(name: string, expected: number): Outcome {
    const checked = this.#check(name, this.#streams.get(name), expected, [{ id: randomUUID() }]);
    if (checked !== 'write') return checked;
    const stream = this.#open(name);
    stream.tombstoned = true;
    const ordinal = this.log.append(name, [jsonEvent(TOMBSTONE_TYPE, '')], TOMBSTONE_REVISION, Date.now());
    this.#tell();
    return { kind: 'written', revision: Number(TOMBSTONE_REVISION), position: this.log.position(ordinal) };
  }

  /** The first revision that is not hidden. */
  firstRevision(stream: StreamState): number {
    return Math.max(stream.truncateBefore, stream.ordinals.length - stream.maxCount, 0);
  }

  /** The node's own rules for retries and conflicts. */
  #check(
    name: string,
    stream: StreamState | undefined,
    expected: number,
    events: readonly { id: string }[],
  ): Outcome | 'write' {
    if (stream?.tombstoned) return { kind: 'deleted' };
    const actual = (stream?.ordinals.length ?? 0) - 1;
    if (expected === STREAM_EXISTS) {
      if (stream?.truncateBefore === Infinity) return { kind: 'deleted' };
      const described = (this.#streams.get(`$$${name}`)?.ordinals.length ?? 0) > 0;
      if (actual < 0 && !described) return { kind: 'wrongRevision', actual };
    }
    if (expected === ANY || expected === STREAM_EXISTS) return this.#checkRemembered(stream, actual, events);
    if (expected > actual) return { kind: 'wrongRevision', actual };
    if (expected === actual) return 'write';
    return this.#checkRecorded(stream!, expected, actual, events);
  }

  /** Without a revision, only recent ids identify a retry. */
  #checkRemembered(
    stream: StreamState | undefined,
    actual: number,
    events: readonly { id: string }[],
  ): Outcome | 'write' {
    let revision = -1;
    for (const [index, { id }] of events.entries()) {
      const known = stream && this.#remembered.revisionOf(id, stream.name);
      if (known === undefined) return index === 0 ? 'write' : { kind: 'wrongRevision', actual };
      revision = known;
    }
    return revision < 0 ? 'write' : this.#alreadyWritten(stream!, revision);
  }

  /** With a revision, the following events identify a retry, however old they are. */
  #checkRecorded(
    stream: StreamState,
    expected: number,
    actual: number,
    events: readonly { id: string }[],
  ): Outcome | 'write' {
    for (const [index, { id }] of events.entries()) {
      const ordinal = stream.ordinals[expected + 1 + index];
      if (ordinal !== undefined && this.log.eventId(ordinal) === id) continue;
      const freed = index === 0 && expected === NO_STREAM && stream.truncateBefore === Infinity;
      return freed ? 'write' : { kind: 'wrongRevision', actual };
    }
    if (events.length === 0) return { kind: 'wrongRevision', actual };
    return this.#alreadyWritten(stream, expected + events.length);
  }

  #alreadyWritten(stream: StreamState, revision: number): Outcome {
    return { kind: 'written', revision, position: this.log.position(stream.ordinals[revision]!) };
  }

  #nothingWritten(stream: StreamState | undefined): Outcome {
    const position = this.log.position(this.log.length - 1);
    return { kind: 'written', revision: (stream?.ordinals.length ?? 0) - 1, position };
  }

  #open(name: string): StreamState {
    let stream = this.#streams.get(name);
    if (!stream) {
      stream = { name, ordinals: [], tombstoned: false, truncateBefore: 0, maxCount: Infinity };
      this.#streams.set(name, stream);
    }
    return stream;
  }

  #record(stream: StreamState, events: readonly ProposedEvent[]): number {
    const { ordinals, name } = stream;
    const first = this.log.append(name, events, ordinals.length, Date.now());
    for (const [index, { id }] of events.entries()) {
      this.#remembered.remember(id, name, ordinals.length);
      ordinals.push(first + index);
    }
    const last = events.at(-1);
    if (last && name.startsWith('$$')) this.#describe(name.slice(2), Buffer.from(last.data).toString());
    this.#tell();
    return first;
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }

  #writeMetadata(name: string, text: string): Outcome {
    const metastream = this.#open(`$$${name}`);
    const ordinal = this.#record(metastream, [jsonEvent(METADATA_TYPE, text)]);
    return { kind: 'written', revision: metastream.ordinals.length - 1, position: this.log.position(ordinal) };
  }

  /** The first append after a deletion makes the stream visible again, from that append on. */
  #undelete(stream: StreamState, firstRevision: number): void {
    this.#writeMetadata(stream.name, `{"$tb":${firstRevision}}`);
  }

  #describe(name: string, text: string): void {
    const stream = this.#open(name);
    const { $tb = 0, $maxCount = Infinity } = parsed(text);
    stream.truncateBefore = $tb >= Number(TOMBSTONE_REVISION) ? Infinity : $tb;
    stream.maxCount = $maxCount;
  }
}

/** Metadata that is not JSON is ignored. */
function parsed(text: string): { $tb?: number; $maxCount?: number } {
  try {
    return JSON.parse(text) as { $tb?: number; $maxCount?: number };
  } catch {
    return {};
  }
}
