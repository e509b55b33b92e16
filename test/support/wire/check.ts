import { COMPONENTS } from '#wire';

type Schema = Readonly<Record<string, any>>;

/**
 * What is wrong with a value by a JSON Schema, at most once a place. Stricter than JSON Schema: an object has the named properties and no
 * others. Of alternatives, those of the one that fits best.
 * @param components schemas that `$ref` names
 */
export function complaintsOf(
  schema: Schema,
  value: unknown,
  path: string,
  components: Readonly<Record<string, Schema>>,
): string[] {
  const check = (one: Schema, item: unknown, at: string): string[] => complaintsOf(one, item, at, components);
  if (schema['$ref'] !== undefined) return check(componentOf(String(schema['$ref']), components), value, path);
  if (schema['anyOf'] !== undefined) return fewest((schema['anyOf'] as Schema[]).map((one) => check(one, value, path)));
  if ('const' in schema && value !== schema['const'])
    return [`${path}: ${shown(value)} is not ${shown(schema['const'])}`];
  if (schema['enum'] !== undefined && !(schema['enum'] as unknown[]).includes(value))
    return [`${path}: ${shown(value)} is none of ${(schema['enum'] as unknown[]).map(shown).join(', ')}`];
  const isOf = TYPES[schema['type'] as string];
  if (isOf === undefined) return [];
  if (!isOf(value)) return [`${path}: ${shown(value)} is no ${schema['type']}`];
  if (schema['type'] === 'array') return listComplaints(schema, value as unknown[], path, check);
  return schema['type'] === 'object' ? objectComplaints(schema, value as Schema, path, check) : [];
}

type Check = (schema: Schema, value: unknown, path: string) => string[];

function listComplaints(schema: Schema, value: readonly unknown[], path: string, check: Check): string[] {
  const { prefixItems, items } = schema;
  if (Array.isArray(prefixItems)) {
    if (prefixItems.length !== value.length) return [`${path}: ${shown(value)} has another length`];
    return prefixItems.flatMap((one: Schema, index) => check(one, value[index], `${path}[${index}]`));
  }
  return value.flatMap((item) => check((items ?? {}) as Schema, item, `${path}[]`));
}

function objectComplaints(schema: Schema, value: Schema, path: string, check: Check): string[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const others = (schema['additionalProperties'] ?? schema['patternProperties']?.['^.*$']) as Schema | undefined;
  const missing = ((schema['required'] ?? []) as string[])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `${path}.${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    if (Object.hasOwn(properties, name)) return check(properties[name] ?? {}, item, `${path}.${name}`);
    return others === undefined || typeof others === 'boolean'
      ? [`${path}.${name} is foreign`]
      : check(others, item, `${path}{}`);
  });
  return [...missing, ...wrong];
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

function componentOf(ref: string, components: Readonly<Record<string, Schema>>): Schema {
  const schema = components[ref.slice(COMPONENTS.length)];
  if (schema === undefined) throw new Error(`There is no component ${ref}.`);
  return schema;
}

function fewest(all: readonly string[][]): string[] {
  return all.reduce((best, one) => (one.length < best.length ? one : best));
}

function shown(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value).slice(0, 80);
}
