import type { TObject, TProperties, TSchema } from 'typebox';
import { exact, integer, NAME, named, object, oneOf, type Wire } from './schema.js';

/**
 * Schemas of client events by kind: the type, and `type/op` where an event has an op. Each has the properties beside `id`, `type` and
 * `op`; a list has alternatives.
 */
export type EventSchemas = Readonly<Record<string, TProperties | readonly TProperties[]>>;

/** The client events of these schemas, each without its `id`. */
export type WireEvent<Schemas extends EventSchemas> = {
  [Kind in keyof Schemas & string]: Head<Kind> & Payload<Schemas[Kind]>;
}[keyof Schemas & string];

/** Of each kind: the body of an entry that is presented as it is. */
export type WithoutType<Event> = Event extends unknown ? Omit<Event, 'type'> : never;

type Head<Kind extends string> = Kind extends `${infer Type}/${infer Op}`
  ? { readonly type: Type; readonly op: Op }
  : { readonly type: Kind };

type Payload<Properties> = Properties extends readonly (infer One)[]
  ? Payload<One>
  : Properties extends TProperties
    ? AsJson<Wire<TObject<Properties>>>
    : never;

/** As the kernel has it, which knows no schemas, as these know no kernel. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };

/** What a schema leaves open is JSON. */
type AsJson<T> = unknown extends T ? Json : T extends object ? { [Key in keyof T]: AsJson<T[Key]> } : T;

/** The schema of the whole event of a kind. */
export function eventSchema(kind: string, payload: TProperties | readonly TProperties[]): TSchema {
  const [type = '', op] = kind.split('/');
  const head = { id: integer, type: exact(type), ...(op !== undefined && { op: exact(op) }) };
  const forms = (isList(payload) ? payload : [payload]).map((properties): TObject =>
    object({ ...head, ...properties }),
  );
  const [only] = forms;
  return named(nameOf(kind), forms.length === 1 && only !== undefined ? only : oneOf(...forms));
}

/** The union of the events of all kinds, each a component of its own. */
export function unionOfEvents(schemas: EventSchemas): TSchema {
  const kinds = Object.keys(schemas).toSorted();
  return named('Event', oneOf(...kinds.map((kind) => eventSchema(kind, schemas[kind] ?? {}))));
}

/** The component's name of a schema, if it has one. */
export function componentName(schema: TSchema): string | undefined {
  return (schema as { [NAME]?: string })[NAME];
}

/** `update_message_flags/add` is `UpdateMessageFlagsAddEvent`. */
function nameOf(kind: string): string {
  const parts = kind.split(/[/_]/).map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return `${parts.join('')}Event`;
}

function isList(payload: TProperties | readonly TProperties[]): payload is readonly TProperties[] {
  return Array.isArray(payload);
}
