import { badRequest, Refusal } from '#kernel';
import { parse } from 'node:querystring';
import { parseJson } from './json-text.js';
import { BODY_LIMIT_BYTES, PARAMETERS_MAX } from '../limits/limits.js';

/** Names whose value in a JSON body is `null`, which has no text form. */
export const NULLS = Symbol('parameters that are null');

/** A request's parameters by name, as text. Has no prototype, so that any name is safe. */
export type RawParams = Record<string, string> & { [NULLS]?: ReadonlySet<string> };

export const NOTHING_GIVEN: Readonly<RawParams> = Object.freeze(Object.create(null) as RawParams);

/** Stands for a query with too many parameters, since the router, which parses it, cannot refuse. */
export const EXCESSIVE: Readonly<RawParams> = Object.freeze(Object.create(null) as RawParams);

export function readQuery(query: string): RawParams {
  return readEncoded(query) ?? EXCESSIVE;
}

/** Reads an urlencoded body. @throws Refusal `BAD_REQUEST` */
export function readUrlEncoded(body: string): RawParams {
  const given = readEncoded(body);
  if (given === undefined) throw tooMany();
  return given;
}

/**
 * Reads a query string or an urlencoded body. The last value of a repeated name wins. `undefined` when there are too
 * many.
 */
function readEncoded(encoded: string): RawParams | undefined {
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
  return count > PARAMETERS_MAX ? undefined : (parsed as RawParams);
}

export function tooMany(): Refusal {
  return badRequest(`Too many parameters (limit: ${PARAMETERS_MAX})`);
}

/**
 * Reads a JSON body: an object whose values are the parameters, strings as they are and others as JSON text. `null`
 * counts as absent, except for parameters that accept it; it must not become the text "null".
 */
export function readJsonBody(body: string): RawParams {
  if (body.trim() === '') return NOTHING_GIVEN;
  const parsed = parseJson(body, BODY_LIMIT_BYTES);
  if (parsed.kind === 'excessive') throw badRequest(`The JSON body ${parsed.reason}`);
  if (parsed.kind === 'malformed') throw new Refusal('INVALID_JSON', 'Malformed JSON');
  if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) {
    throw badRequest('A JSON body must be an object with the parameters');
  }
  const entries = Object.entries(parsed.value);
  if (entries.length > PARAMETERS_MAX) throw tooMany();
  const given = Object.create(null) as RawParams;
  const nulls = new Set<string>();
  for (const [name, value] of entries) {
    if (value === null) nulls.add(name);
    else given[name] = typeof value === 'string' ? value : JSON.stringify(value);
  }
  if (nulls.size > 0) given[NULLS] = nulls;
  return given;
}

/** Merges parameters; the body takes precedence. */
export function merge(query: RawParams, body: RawParams): RawParams {
  for (const _ in query) return { __proto__: null, ...query, ...body } as unknown as RawParams;
  return body;
}
