import type {
  Static,
  TArray,
  TBoolean,
  TInteger,
  TLiteral,
  TNull,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TRecord,
  TSchema,
  TString,
  TStringKey,
  TTuple,
  TUnion,
  TUnknown,
  TUnsafe,
} from 'typebox';

/*
 * Builds the schemas of answers and client events: typebox's types on plain values. Typebox's own builders cost 50 µs an object, which
 * for all answers together is a twentieth of a start; these cost a hundredth of that, and a server never checks what it sends.
 */

/** Marks an optional property, as typebox does. */
const OPTIONAL = '~optional';
/** Name of a schema as a component of the OpenAPI document. */
export const NAME = '~name';

export const text: TString = plain({ type: 'string' });
/** An integer below 2^53. */
export const integer: TInteger = plain({ type: 'integer' });
export const number: TNumber = plain({ type: 'number' });
export const truth: TBoolean = plain({ type: 'boolean' });
const nothing: TNull = plain({ type: 'null' });
export const anything: TUnknown = plain({});

/** The text, number or truth value itself. */
export function exact<const Value extends string | number | boolean>(value: Value): TLiteral<Value> {
  return plain({ const: value });
}

/** One of the texts. */
export function words<const Word extends string>(...all: readonly Word[]): TUnsafe<Word> {
  return plain({ type: 'string', enum: all });
}

/** One of the numbers. */
export function numbers<const Value extends number>(...all: readonly Value[]): TUnsafe<Value> {
  return plain({ type: 'integer', enum: all });
}

export function list<Item extends TSchema>(items: Item): TArray<Item> {
  return plain({ type: 'array', items });
}

/** A list of just these items. */
export function tuple<Items extends TSchema[]>(...items: Items): TTuple<Items> {
  return plain({ type: 'array', prefixItems: items, items: false, minItems: items.length, maxItems: items.length });
}

/** An object with any keys. */
export function map<Value extends TSchema>(value: Value): TRecord<TStringKey, Value> {
  return plain({ type: 'object', additionalProperties: value });
}

export function object<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as object)));
  return plain({ type: 'object', properties, ...(required.length > 0 && { required }) });
}

/** A property that may be missing. */
export function optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  return plain({ ...schema, [OPTIONAL]: true });
}

/** All of the properties may be missing. */
export function partial<Properties extends TProperties>(
  properties: Properties,
): { [Key in keyof Properties]: TOptional<Properties[Key]> } {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, optional(schema)]),
  ) as unknown as { [Key in keyof Properties]: TOptional<Properties[Key]> };
}

export function oneOf<Schemas extends TSchema[]>(...anyOf: Schemas): TUnion<Schemas> {
  return plain({ anyOf });
}

export function nullable<Schema extends TSchema>(schema: Schema): TUnion<[Schema, TNull]> {
  return plain({ anyOf: [schema, nothing] });
}

/** Adds a sentence for the OpenAPI document. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/** Makes the schema a component of the OpenAPI document, and a type of the client library, of this name. */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return { ...schema, [NAME]: name };
}

/** Refers to a component that the composition adds, such as the union of all client events. */
export function component<Type = unknown>(name: string): TUnsafe<Type> {
  return plain({ $ref: `${COMPONENTS}${name}` });
}

export const COMPONENTS = '#/components/schemas/';

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly DeepReadonly<Item>[]
    : { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** What a schema describes; immutable. */
export type Wire<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

/** Typebox tells schemas apart by types that say more than JSON Schema has. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- The caller's return type names it.
function plain<Schema extends TSchema>(value: object): Schema {
  return value as unknown as Schema;
}
