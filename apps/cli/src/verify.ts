import {
  acknowledgedPosition,
  type Damage,
  DamagedRecord,
  type EventRegistry,
  type EventStore,
  type RecordedEvent,
  SqliteEventStore,
} from '#event-store';

export interface VerifiedParts {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  /** The embedded log's; undefined for one on a server. */
  readonly file: string | undefined;
  readonly registry: Pick<EventRegistry, 'misfit'>;
  /** Is called for each record that is damaged or missing; for one that is damaged in several ways more than once. */
  readonly onDamage: (damage: Damage) => void;
  /** Is called with every event that can be read. */
  readonly look?: (event: RecordedEvent) => void;
}

export interface Verified {
  /** Events that can be read. */
  readonly events: number;
  /** Position of the last one. */
  readonly head: number;
}

/**
 * Reads every record, and checks its data against the schema of its type and, in an embedded log, its checksum; that no
 * stream lacks an event, as after a truncation or a scavenge on a server; that an embedded log's lists of streams have
 * each record; and that it reaches the acknowledged position: a truncation of its end leaves no other trace.
 */
export async function verify({ store, file, registry, onDamage, look }: VerifiedParts): Promise<Verified> {
  // Read first, since a running server appends meanwhile.
  const acknowledged = file === undefined ? 0 : acknowledgedPosition(file);
  const sequences = new Sequences(onDamage);
  let events = 0;
  let head = 0;
  const meet = (damage: Damage): void => {
    sequences.meet(damage);
    onDamage(damage);
  };
  for await (const page of store.readAll({ onDamage: meet })) {
    for (const event of page) {
      look?.(event);
      sequences.take(event);
      const reason = registry.misfit(event.type, event.data);
      const { position, stream, revision } = event;
      if (reason !== undefined) onDamage({ position, stream, revision, reason });
      head = position;
    }
    events += page.length;
  }
  if (store instanceof SqliteEventStore) await store.findUnlisted(head, onDamage);
  const last = Math.max(head, sequences.lastDamage);
  if (last < acknowledged)
    onDamage({
      position: last + 1,
      ...(acknowledged > last + 1 && { through: acknowledged }),
      reason: 'acknowledged events are missing: the log ends before them',
    });
  return { events, head: await endOf(store, head) };
}

/** Where the log ends; where it can be read to, when that cannot be told. */
async function endOf(store: Pick<EventStore, 'head'>, head: number): Promise<number> {
  return store.head().catch((error: unknown) => {
    if (error instanceof DamagedRecord) return head;
    throw error;
  });
}

/**
 * A truncation of the end of an embedded log leaves no other trace.
 * @throws DamagedRecord when the log ends before the acknowledged position
 */
export async function assertWhole(store: Pick<EventStore, 'head'>, file: string | undefined): Promise<void> {
  const acknowledged = file === undefined ? 0 : acknowledgedPosition(file);
  const head = await store.head();
  if (head >= acknowledged) return;
  throw new DamagedRecord(
    head + 1,
    `events up to position ${acknowledged} were acknowledged and the log ends at ${head}`,
  );
}

/** Notices revisions that are missing although no position is damaged. */
class Sequences {
  lastDamage = 0;
  /**
   * The next revision of each stream, and the position of its last: some hundred megabytes when millions of messages were
   * edited.
   */
  readonly #next = new Map<string, { readonly revision: number; readonly position: number }>();

  constructor(private readonly onDamage: (damage: Damage) => void) {}

  meet({ position, through = position }: Damage): void {
    this.lastDamage = Math.max(this.lastDamage, through);
  }

  take({ stream, revision, position }: RecordedEvent): void {
    const { revision: expected, position: lastPosition } = this.#next.get(stream) ?? { revision: 0, position: 0 };
    this.#next.set(stream, { revision: revision + 1, position });
    // A record that was told of may be the one that is missing.
    if (revision === expected || this.lastDamage > lastPosition) return;
    this.onDamage({ position, stream, revision, reason: `revision ${expected} of its stream is missing before it` });
  }
}
