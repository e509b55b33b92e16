import { deepStrictEqual } from 'node:assert/strict';
import { streams } from '#event-store';
import type { Recorded } from '#event-store';
import type { Key, Projection } from '#read-store';

/** A fact of a test; what is left out is filled in. Revisions count up by stream, positions by fact. */
export interface TestFact {
  readonly type: string;
  readonly data: object;
  /** The organization's stream when left out. */
  readonly stream?: string;
  readonly recordedAtMs?: number;
}

export interface ProjectionOutcome {
  /** The document is exactly this, or absent. */
  thenDoc(key: Key, expected: object | undefined): ProjectionOutcome;
  /** There are these documents and no others. */
  thenKeys(...keys: Key[]): ProjectionOutcome;
}

/**
 * Tests of a projection without any store: `given(...facts).thenDoc(key, doc)`. Documents pass through JSON between any two
 * facts, and facts are frozen, so a projection that keeps what no store keeps, or changes a fact, fails here.
 */
export function projectionSpec(projection: Projection<object>): { given(...facts: TestFact[]): ProjectionOutcome } {
  return { given: (...facts) => outcomeOf(run(projection, facts)) };
}

/** The facts as a store would give them back. */
export function recorded(...facts: TestFact[]): readonly Recorded[] {
  const revisions = new Map<string, number>();
  return facts.map(({ type, data, stream = streams.organization, recordedAtMs = 0 }, index) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const id = `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
    const copy: unknown = JSON.parse(JSON.stringify(data));
    return frozen({ position: index + 1, stream, revision, id, type, data: copy, metadata: {}, recordedAtMs });
  });
}

function run(projection: Projection<object>, facts: readonly TestFact[]): ReadonlyMap<Key, object> {
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
  }
  return new Map([...stored].map(([key, text]) => [key, JSON.parse(text) as object]));
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
