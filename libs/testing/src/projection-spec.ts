import { deepStrictEqual } from 'node:assert/strict';
import { streams } from '#event-store';
import type { RecordedEvent } from '#event-store';
import type { Key, KeyRange, Projection } from '#read-store';

/** An event of a test; missing fields are filled in. Revisions count by stream, positions by event. */
export interface TestEvent {
  readonly type: string;
  readonly data: object;
  /** The organization's stream by default. */
  readonly stream?: string;
  readonly recordedAtMs?: number;
}

export interface ProjectionOutcome {
  /** The document equals this, or is absent. */
  thenDoc(key: Key, expected: object | undefined): ProjectionOutcome;
  /** Exactly these documents exist. */
  thenKeys(...keys: Key[]): ProjectionOutcome;
}

/**
 * Tests a projection without a store: `given(...events).thenDoc(key, doc)`. Documents pass through JSON between events,
 * and events are frozen, so a projection that keeps what no store keeps, or mutates an event, fails here.
 */
export function projectionSpec(projection: Projection<object>): { given(...facts: TestEvent[]): ProjectionOutcome } {
  return { given: (...facts) => outcomeOf(run(projection, facts)) };
}

/** The events as a store would return them. */
export function recorded(...facts: TestEvent[]): readonly RecordedEvent[] {
  const revisions = new Map<string, number>();
  return facts.map(({ type, data, stream = streams.organization, recordedAtMs = 0 }, index) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const id = `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
    const copy: unknown = JSON.parse(JSON.stringify(data));
    return frozen({ position: index + 1, stream, revision, id, type, data: copy, metadata: {}, recordedAtMs });
  });
}

function run(projection: Projection<object>, facts: readonly TestEvent[]): ReadonlyMap<Key, object> {
  const stored = new Map<Key, string>();
  for (const event of recorded(...facts)) {
    if (!projection.handles.has(event.type)) continue;
    for (const { key, fresh } of projection.keys(event)) {
      const text = stored.get(key);
      if (fresh && text !== undefined) throw new Error(`${event.type} calls the document ${key} fresh, and it exists.`);
      const before = text === undefined ? undefined : (JSON.parse(text) as object);
      const after = projection.evolve(before, event, key);
      if (after === undefined) stored.delete(key);
      else stored.set(key, JSON.stringify(after));
    }
    for (const range of projection.removes?.(event) ?? [])
      for (const key of stored.keys()) if (isWithin(key, range)) stored.delete(key);
  }
  return new Map([...stored].map(([key, text]) => [key, JSON.parse(text) as object]));
}

function isWithin(key: Key, { from, below }: KeyRange): boolean {
  return (from === undefined || key >= from) && key < below;
}

function outcomeOf(docs: ReadonlyMap<Key, object>): ProjectionOutcome {
  const outcome: ProjectionOutcome = {
    thenDoc(key, expected) {
      deepStrictEqual(docs.get(key), expected);
      return outcome;
    },
    thenKeys(...keys) {
      deepStrictEqual(new Set(docs.keys()), new Set(keys));
      return outcome;
    },
  };
  return outcome;
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
}
