import type { DynamicModule, Type } from '@nestjs/common';
import { type DirectoryPart, DirectoryParts, isOrganizationEvent } from '#directory';
import { type EventType, partsOf } from '#event-store';
import { type ClientEvents, noClientEvents, queueEventSchemas } from '#feed';
import type { BackgroundWork, Projection } from '#read-store';
import type { TProperties } from 'typebox';
import type { TimerSource } from '#timers';
import type { EventSchemas } from '#wire';
import type { ContentSource, Feature } from './feature.js';
import { featureModule, wiringModule } from './feature-module.js';
import type { RegisterFields } from './register-fields.js';

/** The features of a server, in the order of their fields in the register response. */
export class FeatureSet {
  /** The modules of the features, and the one that connects them. */
  readonly modules: readonly DynamicModule[];
  /** Types of the events that the directory reads. */
  readonly #folded: ReadonlySet<string>;

  /**
   * @param ofEngine types of events that no feature records, which projections may read as well
   * @throws Error that names a feature that conflicts with the others
   */
  constructor(
    readonly features: readonly Feature[],
    ofEngine: readonly EventType[] = [],
  ) {
    assertUnique('feature', features, ({ name }) => [name]);
    assertUnique('event type', features, (feature) => eventsOf(feature).map(({ name }) => name));
    assertUnique('part of the directory', features, ({ directory = [] }) => directory.map(({ name }) => name));
    assertUnique('follow-up of', features, ({ followUps = {} }) => Object.keys(followUps));
    assertUnique('kind of timer', features, ({ timers = [] }) => timers.map(({ source }) => source.kind));
    assertUnique('use case', features, ({ commands = [], queries = [] }) =>
      [...commands, ...queries].map(({ asked }) => asked),
    );
    assertUnique('collection', features, ({ projections = [] }) =>
      projections.map(({ collection }) => collection.name),
    );
    const known = new Set(this.events.map(({ name }) => name));
    for (const { name, projections = [], followUps = {}, timers = [] } of features) {
      const sources = timers.map(({ source }) => source);
      const read = [...[...projections, ...sources].flatMap(({ handles }) => [...handles]), ...Object.keys(followUps)];
      const unknown = read.find((type) => !known.has(type) && !ofEngine.some((one) => one.name === type));
      if (unknown !== undefined)
        throw new Error(`The feature ${name} reads events of type ${unknown}, which no feature records.`);
    }
    assertEntailedIsDone(features);
    this.#folded = new Set(new DirectoryParts(this.directory).handledTypes);
    this.#assertEventsAreFolded(known);
    this.modules = [...features.map(featureModule), wiringModule(features)];
  }

  /** An event of the organization's stream that no part handles could be recorded, and never be read. */
  #assertEventsAreFolded(known: ReadonlySet<string>): void {
    const unknown = [...this.#folded].find((type) => !known.has(type));
    if (unknown !== undefined) throw new Error(`The directory reads ${unknown}, which no feature records.`);
    for (const feature of this.features) {
      const unhandled = eventsOf(feature).find((type) => isOrganizationEvent(type) && !this.#folded.has(type.name));
      if (unhandled !== undefined)
        throw new Error(
          `The feature ${feature.name} records ${unhandled.name} in the organization's stream, which no part of the directory handles.`,
        );
    }
  }

  get events(): readonly EventType[] {
    return this.features.flatMap(eventsOf);
  }

  /** The parts of the directory. */
  get directory(): readonly DirectoryPart[] {
    return this.features.flatMap(({ directory = [] }) => directory);
  }

  get projections(): readonly Projection<object>[] {
    return this.features.flatMap(({ projections = [] }) => projections);
  }

  get clientEvents(): readonly Type<ClientEvents>[] {
    return this.features.flatMap(({ clientEvents = [] }) => clientEvents);
  }

  /**
   * Every event type must have a reader or be named in `decidersOnly`: an event without a reader was forgotten.
   * @param derivations of client events, by event type; `noClientEvents` reads nothing
   * @throws Error that names the event type
   */
  assertEventsAreRead(derivations: readonly Readonly<Record<string, unknown>>[]): void {
    const known = new Set(this.events.map(({ name }) => name));
    const handled = derivations.flatMap((on) => Object.entries(on));
    const [unknown] = handled.find(([type]) => !known.has(type)) ?? [];
    if (unknown !== undefined) throw new Error(`Client events read ${unknown}, which no feature records.`);
    const heard = handled.flatMap(([type, derive]) => (derive === noClientEvents ? [] : [type]));
    const read = new Set([...heard, ...this.#folded, ...this.projections.flatMap(({ handles }) => [...handles])]);
    for (const feature of this.features) {
      const { name, decidersOnly = [] } = feature;
      const unread = eventsOf(feature).find((event) => !read.has(event.name) && !decidersOnly.includes(event.name));
      if (unread !== undefined)
        throw new Error(
          `The feature ${name} records ${unread.name}, which no projection, client event or directory reads.`,
        );
      const wrong = decidersOnly.find((type) => read.has(type));
      if (wrong !== undefined)
        throw new Error(`The feature ${name} names ${wrong} in decidersOnly, but it has other readers.`);
    }
  }

  /**
   * What clients are told must be described to them.
   * @param types of the client events that are presented
   * @throws Error that names the type without a schema
   */
  assertEventsAreDescribed(types: Iterable<string>): void {
    const described = new Set(Object.keys(this.eventSchemas()).map((kind) => kind.split('/')[0]));
    const bare = [...types].find((type) => !described.has(type));
    if (bare !== undefined) throw new Error(`Client events of type ${bare} have no schema.`);
  }

  get followUps(): readonly string[] {
    return this.features.flatMap(({ followUps = {} }) => Object.keys(followUps));
  }

  get timers(): readonly TimerSource[] {
    return this.features.flatMap(({ timers = [] }) => timers.map(({ source }) => source));
  }

  get work(): readonly Type<BackgroundWork>[] {
    return this.features.flatMap(({ work = [] }) => work);
  }

  get contents(): readonly ContentSource[] {
    return this.features.flatMap(({ contents = [] }) => contents);
  }

  get register(): readonly Type<RegisterFields>[] {
    return this.features.flatMap(({ register = [] }) => register);
  }

  /** What all client events look like, by kind. For the OpenAPI document and tests. */
  eventSchemas(): EventSchemas {
    const all = this.features.flatMap(({ eventSchemas = [] }) => eventSchemas);
    return Object.assign({}, queueEventSchemas, ...all) as EventSchemas;
  }

  /** What the features' fields of the register response look like. */
  registerSchemas(): TProperties {
    const all = this.features.flatMap(({ registerSchemas = [] }) => registerSchemas);
    return Object.assign({}, ...all) as TProperties;
  }
}

function eventsOf({ events = [], directory = [] }: Feature): readonly EventType[] {
  return [...events, ...directory.flatMap((part) => part.events)];
}

/** What an event entails would wait for ever without a follow-up, and a follow-up would never be called without `entails`. */
function assertEntailedIsDone(features: readonly Feature[]): void {
  const done = new Set(features.flatMap(({ followUps = {} }) => Object.keys(followUps)));
  for (const feature of features) {
    const { name } = feature;
    for (const event of eventsOf(feature)) {
      const entails = partsOf(event.schema).some(([part]) => part === '.entails');
      if (entails && !done.has(event.name))
        throw new Error(`The feature ${name} records ${event.name}, and no feature does what it entails.`);
      if (!entails && done.has(event.name))
        throw new Error(`A follow-up of ${event.name} would do what nothing entails.`);
    }
  }
}

function assertUnique(
  what: string,
  features: readonly Feature[],
  namesOf: (feature: Feature) => readonly (string | { readonly name: string })[],
): void {
  const owners = new Map<unknown, string>();
  for (const feature of features) {
    for (const named of namesOf(feature)) {
      const owner = owners.get(named);
      const name = typeof named === 'string' ? named : named.name;
      if (owner !== undefined)
        throw new Error(`The ${what} ${name} is defined by the features ${owner} and ${feature.name}.`);
      owners.set(named, feature.name);
    }
  }
}
