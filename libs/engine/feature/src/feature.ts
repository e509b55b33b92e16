import type { Type } from '@nestjs/common';
import type { EventType } from '#event-store';
import type { ClientEvents } from '#feed';
import type { Projection } from '#read-store';
import type { TimerSource } from '#timers';
import type { RegisterFields } from './register-fields.js';

/** What an owner, such as a file, has in the blob store after an event; nothing when it is gone. */
export interface OwnedContent {
  /** Unique within the space. */
  readonly owner: string;
  /** SHA-256 of each piece, hexadecimal. */
  readonly hashes: readonly string[];
}

/** Content that events name by its hash, in one space of the blob store (`scrollback verify` looks for it). */
export interface ContentSource {
  readonly space: string;
  /** By event type, whose events alone a handler gets. */
  readonly on: Readonly<Record<string, (event: never) => OwnedContent>>;
}

/**
 * Manifest of a feature: everything that it adds to the server (docs/new-feature.md). Its module provides the classes
 * named here.
 */
export interface Feature {
  readonly name: string;
  /** Types of the events that it records, with their schemas. */
  readonly events?: readonly EventType[];
  /** Types of events that the feature's own deciders read from the log, and no projection, client event or directory. */
  readonly decidersOnly?: readonly string[];
  readonly projections?: readonly Projection<object>[];
  /** Handlers that derive client events from events. */
  readonly clientEvents?: readonly Type<ClientEvents>[];
  /** Types of events with follow-ups: work in other streams (ADR 15). */
  readonly followUps?: readonly string[];
  /** What is due at a time: how events set and clear timers (ADR 21). */
  readonly timers?: readonly TimerSource[];
  /** Content in the blob store that its events name. */
  readonly contents?: readonly ContentSource[];
  /** Providers of fields of the register response. */
  readonly register?: readonly Type<RegisterFields>[];
  /** Wiring: handlers, controllers and readers. */
  readonly module?: Type;
}

export function defineFeature(feature: Feature): Feature {
  return Object.freeze(feature);
}

/** The features of a server, in the order of their fields in the register response. */
export class FeatureSet {
  /** @throws Error that names a feature that conflicts with the others */
  constructor(readonly features: readonly Feature[]) {
    assertUnique('feature', features, ({ name }) => [name]);
    assertUnique('event type', features, ({ events = [] }) => events.map(({ name }) => name));
    assertUnique('kind of timer', features, ({ timers = [] }) => timers.map(({ kind }) => kind));
    assertUnique('collection', features, ({ projections = [] }) =>
      projections.map(({ collection }) => collection.name),
    );
    const known = new Set(this.events.map(({ name }) => name));
    for (const { name, projections = [], followUps = [], timers = [] } of features) {
      const read = [...[...projections, ...timers].flatMap(({ handles }) => [...handles]), ...followUps];
      const unknown = read.find((type) => !known.has(type));
      if (unknown !== undefined)
        throw new Error(`The feature ${name} reads events of type ${unknown}, which no feature records.`);
    }
  }

  get events(): readonly EventType[] {
    return this.features.flatMap(({ events = [] }) => events);
  }

  get projections(): readonly Projection<object>[] {
    return this.features.flatMap(({ projections = [] }) => projections);
  }

  get clientEvents(): readonly Type<ClientEvents>[] {
    return this.features.flatMap(({ clientEvents = [] }) => clientEvents);
  }

  /**
   * Every event type must have a reader or be named in `decidersOnly`: an event without a reader was forgotten.
   * @param readElsewhere types that the client events and the directory read
   * @throws Error that names the event type
   */
  assertEventsAreRead(readElsewhere: ReadonlySet<string>): void {
    const known = new Set(this.events.map(({ name }) => name));
    const unknown = [...readElsewhere].find((type) => !known.has(type));
    if (unknown !== undefined) throw new Error(`Client events read ${unknown}, which no feature records.`);
    const read = new Set([...readElsewhere, ...this.projections.flatMap(({ handles }) => [...handles])]);
    for (const { name, events = [], decidersOnly = [] } of this.features) {
      const unread = events.find((event) => !read.has(event.name) && !decidersOnly.includes(event.name));
      if (unread !== undefined)
        throw new Error(
          `The feature ${name} records ${unread.name}, which no projection, client event or directory reads.`,
        );
      const wrong = decidersOnly.find((type) => read.has(type));
      if (wrong !== undefined)
        throw new Error(`The feature ${name} names ${wrong} in decidersOnly, but it has other readers.`);
    }
  }

  get followUps(): readonly string[] {
    return this.features.flatMap(({ followUps = [] }) => followUps);
  }

  get timers(): readonly TimerSource[] {
    return this.features.flatMap(({ timers = [] }) => timers);
  }

  get contents(): readonly ContentSource[] {
    return this.features.flatMap(({ contents = [] }) => contents);
  }

  get register(): readonly Type<RegisterFields>[] {
    return this.features.flatMap(({ register = [] }) => register);
  }

  get modules(): readonly Type[] {
    return this.features.flatMap(({ module }) => module ?? []);
  }
}

function assertUnique(
  what: string,
  features: readonly Feature[],
  namesOf: (feature: Feature) => readonly string[],
): void {
  const owners = new Map<string, string>();
  for (const feature of features) {
    for (const name of namesOf(feature)) {
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new Error(`The ${what} ${name} is defined by the features ${owner} and ${feature.name}.`);
      owners.set(name, feature.name);
    }
  }
}
