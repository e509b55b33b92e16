import { COMPONENTS } from '#wire';

type Schema = Readonly<Record<string, any>>;

type Components = Readonly<Record<string, Schema>>;

/**
 * What is wrong with a value by a JSON Schema, at most once a place. Stricter than JSON Schema: an object has the named properties and no
 * others. Of alternatives, those of the one that fits best.
 * @param components schemas that `$ref` names
 */
export function complaintsOf(schema: Schema, value: unknown, path: string, components: Components): string[] {
  return fitsOf(schema, components)(value) ? [] : foundIn(schema, value, path, components);
}

function foundIn(schema: Schema, value: unknown, path: string, components: Components): string[] {
  const check = (one: Schema, item: unknown, at: string): string[] => foundIn(one, item, at, components);
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
  const { properties, others } = propertiesOf(schema);
  const missing = ((schema['required'] ?? []) as string[])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `${path}.${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    if (Object.hasOwn(properties, name)) return check(properties[name] ?? {}, item, `${path}.${name}`);
    return others === undefined ? [`${path}.${name} is foreign`] : check(others, item, `${path}{}`);
  });
  return [...missing, ...wrong];
}

/** The named properties of an object, and what all others are. */
function propertiesOf(schema: Schema) {
  const others = (schema['additionalProperties'] ?? schema['patternProperties']?.['^.*$']) as
    Schema | boolean | undefined;
  return {
    properties: (schema['properties'] ?? {}) as Components,
    others: typeof others === 'boolean' ? undefined : others,
  };
}

type Fits = (value: unknown) => boolean;

/** By components and schema: the same few schemas check every answer of every test. */
const known = new WeakMap<Components, WeakMap<Schema, Fits>>();

/** Whether there are no complaints, which is nearly always so: finding that out makes no path and no list. */
function fitsOf(schema: Schema, components: Components): Fits {
  let ofComponents = known.get(components);
  if (ofComponents === undefined) known.set(components, (ofComponents = new WeakMap()));
  const before = ofComponents.get(schema);
  if (before !== undefined) return before;
  const fits = compiled(schema, (one) => fitsOf(one, components), components);
  ofComponents.set(schema, fits);
  return fits;
}

function compiled(schema: Schema, fits: (schema: Schema) => Fits, components: Components): Fits {
  const { $ref: ref, anyOf, type } = schema;
  if (ref !== undefined) {
    // A component may contain itself.
    let target: Fits | undefined;
    return (value) => (target ??= fits(componentOf(String(ref), components)))(value);
  }
  if (anyOf !== undefined) {
    const all = (anyOf as Schema[]).map(fits);
    return (value) => all.some((one) => one(value));
  }
  const isValue = valueCheck(schema);
  const isOf = TYPES[type as string];
  if (isOf === undefined) return isValue;
  const inside = type === 'array' ? listFits(schema, fits) : type === 'object' ? objectFits(schema, fits) : undefined;
  return (value) => isValue(value) && isOf(value) && (inside === undefined || inside(value as never));
}

function valueCheck(schema: Schema): Fits {
  const all = schema['enum'] as unknown[] | undefined;
  if ('const' in schema) return (value) => value === schema['const'] && (all === undefined || all.includes(value));
  return all === undefined ? () => true : (value) => all.includes(value);
}

function listFits({ prefixItems, items }: Schema, fits: (schema: Schema) => Fits): (value: unknown[]) => boolean {
  if (Array.isArray(prefixItems)) {
    const all = (prefixItems as Schema[]).map(fits);
    return (value) => value.length === all.length && all.every((one, index) => one(value[index]));
  }
  const each = fits((items ?? {}) as Schema);
  return (value) => value.every(each);
}

function objectFits(schema: Schema, fits: (schema: Schema) => Fits): (value: Schema) => boolean {
  const { properties, others } = propertiesOf(schema);
  const required = (schema['required'] ?? []) as string[];
  const named = new Map(Object.entries(properties).map(([name, one]) => [name, fits(one)]));
  const other: Fits = others === undefined ? () => false : fits(others);
  return (value) => {
    for (const name of required) if (!Object.hasOwn(value, name)) return false;
    for (const name of Object.keys(value)) if (!(named.get(name) ?? other)(value[name])) return false;
    return true;
  };
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

function componentOf(ref: string, components: Components): Schema {
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
