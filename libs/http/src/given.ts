import { badRequest, Refusal } from '#kernel';
import { parse } from 'node:querystring';
import { parseJson } from './json-text.js';
import { BODY_LIMIT_BYTES, PARAMETERS_MAX } from './limits.js';

/** The names to which a JSON body gives `null`, which no text stands for. */
export const NULLS = Symbol('parameters that are null');

/** The parameters of a request by name, as text. Has no prototype, so that any name is only a name. */
export type Given = Record<string, string> & { [NULLS]?: ReadonlySet<string> };

export const NOTHING_GIVEN: Readonly<Given> = Object.freeze(Object.create(null) as Given);

/** Stands for a query with too many parameters: the router, which reads it, is no place to refuse anything. */
export const EXCESSIVE: Readonly<Given> = Object.freeze(Object.create(null) as Given);

export function readQuery(query: string): Given {
  return readEncoded(query) ?? EXCESSIVE;
}

/** Reads an urlencoded body. @throws Refusal `BAD_REQUEST` */
export function readUrlEncoded(body: string): Given {
  const given = readEncoded(body);
  if (given === undefined) throw tooMany();
  return given;
}

/** Reads a query string or an urlencoded body. Of a repeated name the last counts. `undefined` when there are too many. */
function readEncoded(encoded: string): Given | undefined {
  if (encoded.length === 0) return NOTHING_GIVEN;
  const parsed = parse(encoded, '&', '=', { maxKeys: PARAMETERS_MAX + 1 }) as Record<string, string | string[]>;
  let count = 0;
  for (const name in parsed) {
    const value = parsed[name];
    if (typeof value === 'string') {
      count++;
    } else if (value !== undefined) {
      count += value.length;
      parsed[name] = value.at(-1) ?? '';
    }
  }
  return count > PARAMETERS_MAX ? undefined : (parsed as Given);
}

export function tooMany(): Refusal {
  return badRequest(`Too many parameters (limit: ${PARAMETERS_MAX})`);
}

/**
 * Reads a JSON body: an object whose values stand for parameters, strings as they are and the rest as JSON text. What is
 * `null` is not there, except to parameters whose value it may be: it is no text, and must not become the word.
 */
export function readJsonBody(body: string): Given {
  if (body.trim() === '') return NOTHING_GIVEN;
  const parsed = parseJson(body, BODY_LIMIT_BYTES);
  if (parsed.kind === 'excessive') throw badRequest(`The JSON body ${parsed.reason}`);
  if (parsed.kind === 'malformed') throw new Refusal('INVALID_JSON', 'Malformed JSON');
  if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) {
    throw badRequest('A JSON body must be an object with the parameters');
  }
  const entries = Object.entries(parsed.value);
  if (entries.length > PARAMETERS_MAX) throw tooMany();
  const given = Object.create(null) as Given;
  const nulls = new Set<string>();
  for (const [name, value] of entries) {
    if (value === null) nulls.add(name);
    else given[name] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  if (nulls.size > 0) given[NULLS] = nulls;
  return given;
}

/** Body over query. */
export function merge(query: Given, body: Given): Given {
  for (const _ in query) return { __proto__: null, ...query, ...body } as unknown as Given;
  return body;
}
