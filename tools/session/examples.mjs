// Examples for the OpenAPI document: of each operation, one answer of the session, without what chance decides.
import { withoutChance } from './text.mjs';

/** Readers of the document see how an answer looks, not all of it. */
const LENGTH_MAX = 3_000;
const OBJECTS_MAX = 2;
const VALUES_MAX = 10;

export class Examples {
  /** The fullest short answer by method and path. */
  #kept = new Map();

  record(method, path, { status, body }) {
    if (status !== 200 || body === undefined) return;
    const asked = `${method} ${path.split('?')[0]}`;
    const kept = this.#kept.get(asked);
    if (kept === undefined || weightOf(body) < weightOf(kept)) this.#kept.set(asked, body);
  }

  /** By operation ID, in the order of the document. */
  of({ paths, components }) {
    const operations = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).flatMap(([verb, one]) =>
        one.operationId === undefined ? [] : [{ ...one, pattern: patternOf(verb, path), literal: literalOf(path) }],
      ),
    );
    const found = new Map();
    for (const [asked, body] of this.#kept) {
      const [operation] = operations
        .filter(({ pattern }) => pattern.test(asked))
        .sort((one, other) => other.literal - one.literal);
      if (operation === undefined) continue;
      const { operationId } = operation;
      const known = found.get(operationId);
      if (known === undefined || weightOf(body) < weightOf(known)) found.set(operationId, body);
    }
    return Object.fromEntries(
      operations.flatMap(({ operationId, responses }) => {
        const body = found.get(operationId);
        const schema = responses['200']?.content?.['application/json']?.schema;
        return body === undefined || schema === undefined
          ? []
          : [[operationId, shortened(body, requiredBy(schema, components))]];
      }),
    );
  }
}

/** Answers that show something come first, then short ones. */
function weightOf(body) {
  const empty = Object.values(body).filter((value) => typeof value === 'object' && value !== null && isEmpty(value));
  return empty.length * 1e9 + JSON.stringify(body).length;
}

function isEmpty(value) {
  return Object.keys(value).length === 0;
}

function patternOf(verb, path) {
  const source = path
    .replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'path' ? '.+' : '[^/]+'));
  return new RegExp(`^${verb.toUpperCase()} ${source}$`);
}

function literalOf(path) {
  return path.replaceAll(/\{\w+\}/g, '').length;
}

/** Names of the fields that an answer must have. */
function requiredBy(schema, { schemas }) {
  if (schema.$ref !== undefined) return requiredBy(schemas[schema.$ref.split('/').at(-1)], { schemas });
  return [...(schema.required ?? []), ...(schema.allOf ?? []).flatMap((one) => requiredBy(one, { schemas }))];
}

function shortened(body, required) {
  const short = Object.entries(trimmed(body));
  let length = 0;
  const kept = short.filter(([name, value]) => {
    const size = JSON.stringify(value).length;
    if (!required.includes(name) && length + size > LENGTH_MAX) return false;
    length += size;
    return true;
  });
  const text = withoutChance(JSON.stringify(Object.fromEntries(kept)));
  // Numbers are no text.
  return JSON.parse(text.replaceAll(/:<(?:position|bytes|hex)>/g, ':1024'));
}

/** Lists with their first items, maps of many lists with their first entries. */
function trimmed(value) {
  if (Array.isArray(value)) {
    const isOfObjects = value.every((item) => typeof item === 'object' && item !== null);
    return value.slice(0, isOfObjects ? OBJECTS_MAX : VALUES_MAX).map(trimmed);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isMap = entries.length > VALUES_MAX && entries.every(([, one]) => Array.isArray(one));
  return Object.fromEntries(
    (isMap ? entries.slice(0, OBJECTS_MAX) : entries).map(([name, one]) => [name, trimmed(one)]),
  );
}
