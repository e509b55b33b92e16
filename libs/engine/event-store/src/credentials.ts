import type { TSchema } from 'typebox';

const CREDENTIAL = 'x-credential';

/**
 * Marks a field of an event whose content lets somebody in, or is kept secret from those who read an archive. It stays out of
 * archives: it is left out where it is optional, and where an event needs it, zeros stand for it.
 */
export function credential<Schema extends TSchema>(schema: Schema): Schema {
  return { ...schema, [CREDENTIAL]: true };
}

export function isCredential(schema: TSchema): boolean {
  return CREDENTIAL in schema;
}

/** The parts of a schema by which credentials are found. */
interface Parts {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema | readonly TSchema[];
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
}

/** The schemas directly below a schema, each with its part of a path. */
export function partsOf(schema: TSchema): [path: string, part: TSchema][] {
  const { properties = {}, anyOf = [], items, patternProperties = {} } = schema as Parts;
  return [
    ...Object.entries(properties).map(([name, part]): [string, TSchema] => [`.${name}`, part]),
    ...anyOf.map((part): [string, TSchema] => ['', part]),
    ...[items ?? []].flat().map((part): [string, TSchema] => ['[]', part]),
    ...Object.values(patternProperties).map((part): [string, TSchema] => ['{}', part]),
  ];
}

export function hasCredentials(schema: TSchema): boolean {
  return isCredential(schema) || partsOf(schema).some(([, part]) => hasCredentials(part));
}

/** A value without its credentials. */
export function withoutCredentials(schema: TSchema, value: unknown): unknown {
  if (!hasCredentials(schema)) return value;
  if (isCredential(schema)) return typeof value === 'string' ? '0'.repeat(value.length) : {};
  const { properties, required = [], anyOf, items, patternProperties = {} } = schema as Parts;
  if (anyOf !== undefined) return anyOf.reduce((rest, part) => withoutCredentials(part, rest), value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item: unknown, index): unknown => {
      const part = Array.isArray(items) ? (items as readonly TSchema[])[index] : (items as TSchema | undefined);
      return part === undefined ? item : withoutCredentials(part, item);
    });
  const [others] = Object.values(patternProperties);
  const kept: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    const part = properties?.[name] ?? others;
    if (part !== undefined && isCredential(part) && !required.includes(name) && part !== others) continue;
    kept[name] = part === undefined ? item : withoutCredentials(part, item);
  }
  return kept;
}
