import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

/** An event type: its versioned name and the schema of its data. */
export interface EventType<Name extends string = string, Schema extends TSchema = TSchema> {
  readonly name: Name;
  readonly schema: Schema;
}

export function eventType<const Name extends string, Schema extends TSchema>(
  name: Name,
  schema: Schema,
): EventType<Name, Schema> {
  return { name, schema };
}

/** Fields of a fact, and no others: what nobody declared would stay in the log for ever. */
export function exactly<const Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false });
}

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly DeepReadonly<Item>[]
    : { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** The fact that an event type describes; facts never change. */
export type FactOf<Type> =
  Type extends EventType<infer Name, infer Schema>
    ? { readonly type: Name; readonly data: DeepReadonly<Static<Schema>> }
    : never;

/** Lifts the data of an old version to the next version, and names it. */
export type Upcaster = (data: any) => { readonly type: string; readonly data: object };

/** An event type that this version of the program does not know, or data that do not fit its schema. Never skipped. */
export class UnreadableEvent extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnreadableEvent';
  }
}

/**
 * All event types the program knows, with a schema each, and the lifts from old versions (DESIGN, decision 6).
 * Adapters check what is written and lift what is read; nobody else ever sees an old shape.
 */
export class EventRegistry {
  readonly #checks = new Map<
    string,
    { Check(value: unknown): boolean; Errors(value: unknown): { instancePath: string; message: string }[] }
  >();
  readonly #upcasters: ReadonlyMap<string, Upcaster>;

  constructor(types: readonly EventType[], upcasters: Readonly<Record<string, Upcaster>> = {}) {
    for (const { name, schema } of types) {
      if (this.#checks.has(name)) throw new Error(`The event type ${name} is registered twice.`);
      this.#checks.set(name, Compile(schema));
    }
    this.#upcasters = new Map(Object.entries(upcasters));
  }

  get names(): readonly string[] {
    return [...this.#checks.keys()];
  }

  /** Refuses an event that is about to be written in a shape that could not be read again. @throws UnreadableEvent */
  check(type: string, data: unknown): void {
    const validator = this.#checks.get(type);
    if (validator === undefined) throw new UnreadableEvent(`The event type ${type} is not registered.`);
    if (validator.Check(data)) return;
    const [first] = validator.Errors(data);
    throw new UnreadableEvent(
      `The data of ${type} do not fit its schema: ${first?.instancePath ?? ''} ${first?.message ?? ''}.`,
    );
  }

  /** The newest shape of a recorded event. @throws UnreadableEvent */
  lift(type: string, data: unknown): { readonly type: string; readonly data: unknown } {
    let lifted: { readonly type: string; readonly data: unknown } = { type, data };
    for (let upcast = this.#upcasters.get(type); upcast !== undefined; upcast = this.#upcasters.get(lifted.type)) {
      lifted = upcast(lifted.data);
    }
    if (!this.#checks.has(lifted.type))
      throw new UnreadableEvent(`The event type ${type} is not known to this version.`);
    return lifted;
  }
}
