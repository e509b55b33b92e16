import type { TSchema } from 'typebox';
import { clientComponents } from '#register';
import type { Composition } from '#runtime';
import { eventSchema } from '#wire';

export interface WireSchemas {
  /** What other schemas name. */
  readonly components: Readonly<Record<string, TSchema>>;
  /** Of client events, by type and `op`. */
  readonly events: ReadonlyMap<string, TSchema>;
}

/** Once a worker: what is compiled from them is kept by them. */
const known = new WeakMap<Composition, WireSchemas>();

/** Schemas of the client events and of the register response come from the features of the server. */
export function wireSchemasOf(composition: Composition): WireSchemas {
  const before = known.get(composition);
  if (before !== undefined) return before;
  const { features } = composition;
  const schemas = {
    components: clientComponents(features),
    events: new Map(Object.entries(features.eventSchemas()).map(([kind, one]) => [kind, eventSchema(kind, one)])),
  };
  known.set(composition, schemas);
  return schemas;
}
