import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';
// Not typebox/compile, which loads a hundred and fifty modules more.
import { Compile } from 'typebox/schema';
import { hasCredentials, withoutCredentials } from './credentials.js';

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

/** Schema of an object with these fields and no others: an undeclared field would stay in the log for ever. */
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

/** The event that an event type describes; immutable. */
export type EventOf<Type> =
  Type extends EventType<infer Name, infer Schema>
    ? { readonly type: Name; readonly data: DeepReadonly<Static<Schema>> }
    : never;

/** Upcasts the data of an old version to the next version, and names it. */
export type Upcaster = (data: any) => { readonly type: string; readonly data: object };

/** The event type is unknown to this version of the program, or the data do not fit its schema. Never skipped. */
export class UnreadableEvent extends Error {
  constructor(
    message: string,
    options?: ErrorOptions,
    /** The message without the place in the log. */
    readonly reason = message,
  ) {
    super(message, options);
    this.name = 'UnreadableEvent';
  }
}

interface Check {
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly [isValid: boolean, errors: { instancePath: string; message: string }[]];
}

/**
 * Registry of all event types, with their schemas and the upcasters of old versions. Adapters check on writing and
 * upcast on reading; no other code sees an old shape.
 */
export class EventRegistry {
  readonly #schemas = new Map<string, TSchema>();
  /** Types of events with credentials. */
  readonly #secretive = new Set<string>();
  /** Compiled when first used: compiling all of them takes a tenth of a second, and most are not used soon. */
  readonly #checks = new Map<string, Check>();
  readonly #upcasters: ReadonlyMap<string, Upcaster>;

  constructor(types: readonly EventType[], upcasters: Readonly<Record<string, Upcaster>> = {}) {
    for (const { name, schema } of types) {
      if (this.#schemas.has(name)) throw new Error(`The event type ${name} is registered twice.`);
      this.#schemas.set(name, schema);
      if (hasCredentials(schema)) this.#secretive.add(name);
    }
    this.#upcasters = new Map(Object.entries(upcasters));
  }

  get names(): readonly string[] {
    return [...this.#schemas.keys()];
  }

  /**
   * Checks an event before it is written.
   * @throws UnreadableEvent when it could not be read again
   */
  check(type: string, data: unknown): void {
    const validator = this.#checkOf(type);
    if (validator.Check(data)) return;
    const [, [first]] = validator.Errors(data);
    throw new UnreadableEvent(
      `The data of ${type} do not fit its schema: ${first?.instancePath ?? ''} ${first?.message ?? ''}.`,
    );
  }

  /**
   * Why recorded data do not fit their type, as a clause without contents; undefined when they do. The names of fields that people
   * choose are contents.
   * @param type in its newest version
   */
  misfit(type: string, data: unknown): string | undefined {
    const validator = this.#checkOf(type);
    if (validator.Check(data)) return undefined;
    const [, [first]] = validator.Errors(data);
    const field = first?.instancePath.split('/')[1] ?? '';
    const schema: { readonly properties?: object } = this.#schemas.get(type) ?? {};
    const isDeclared = Object.hasOwn(schema.properties ?? {}, field);
    return `its data do not fit the schema of ${type}${isDeclared ? `, at ${field}` : ''}`;
  }

  /**
   * Upcasts to the newest shape of a recorded event.
   * @throws UnreadableEvent
   */
  lift(type: string, data: unknown): { readonly type: string; readonly data: unknown } {
    let lifted: { readonly type: string; readonly data: unknown } = { type, data };
    for (let upcast = this.#upcasters.get(type); upcast !== undefined; upcast = this.#upcasters.get(lifted.type)) {
      lifted = upcast(lifted.data);
    }
    if (!this.#schemas.has(lifted.type))
      throw new UnreadableEvent(`The event type ${type} is not known to this version.`);
    return lifted;
  }

  /**
   * The data of an event in its newest shape, without fields that are marked as credentials.
   * @throws UnreadableEvent for an unknown type
   */
  withoutCredentials(type: string, data: object): object {
    const schema = this.#schemas.get(type);
    if (schema === undefined) throw new UnreadableEvent(`The event type ${type} is not registered.`);
    return this.#secretive.has(type) ? (withoutCredentials(schema, data) as object) : data;
  }

  #checkOf(type: string): Check {
    let check = this.#checks.get(type);
    if (check !== undefined) return check;
    const schema = this.#schemas.get(type);
    if (schema === undefined) throw new UnreadableEvent(`The event type ${type} is not registered.`);
    check = Compile(schema);
    this.#checks.set(type, check);
    return check;
  }
}
