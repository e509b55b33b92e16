import { badRequest, Refusal } from '#kernel';
import { isUtf8 } from 'node:buffer';
import { parse } from 'node:querystring';
import { parseJson } from './json-text.js';
import { REPLACEMENT } from './replacements.js';
import { BODY_LIMIT_BYTES, PARAMETERS_MAX } from '../limits/limits.js';

/** Names whose value in a JSON body is `null`, which has no text form. */
export const NULLS = Symbol('parameters that are null');

/** All values of names that are repeated, in their order: the boxes of a form that are checked have one name. */
export const REPEATED = Symbol('parameters that are repeated');

/** Names of files in a multipart body of which nothing reads the content. */
export const FILES = Symbol('files that nothing reads');

/** A request's parameters by name, as text. Has no prototype, so that any name is safe. */
export type RawParams = Record<string, string> & {
  [NULLS]?: ReadonlySet<string>;
  [REPEATED]?: Map<string, readonly string[]>;
  [FILES]?: Set<string>;
};

export const NOTHING_GIVEN: Readonly<RawParams> = Object.freeze(Object.create(null) as RawParams);

/** Stands for a query with too many parameters, since the router, which parses it, cannot refuse. */
export const EXCESSIVE: Readonly<RawParams> = Object.freeze(Object.create(null) as RawParams);

/** Stands for a query with bytes that are no text. */
export const UNREADABLE: Readonly<RawParams> = Object.freeze(Object.create(null) as RawParams);

export function readQuery(query: string): RawParams {
  return readEncoded(query);
}

/** Reads an urlencoded body. @throws Refusal `BAD_REQUEST` */
export function readUrlEncoded(body: Buffer): RawParams {
  const given = readEncoded(textOf(body));
  if (given === EXCESSIVE) throw tooMany();
  if (given === UNREADABLE) throw unreadable();
  return given;
}

/** @throws Refusal `BAD_REQUEST` */
function textOf(body: Buffer): string {
  if (!isUtf8(body)) throw unreadable();
  return body.toString('utf8');
}

/** Reads a query string or an urlencoded body, or says why not. The last value of a repeated name wins. */
function readEncoded(encoded: string): RawParams {
  if (encoded.length === 0) return NOTHING_GIVEN;
  const parsed = parse(encoded, '&', '=', { maxKeys: PARAMETERS_MAX + 1 }) as Record<string, string | string[]> & {
    [REPEATED]?: Map<string, readonly string[]>;
  };
  let count = 0;
  let isSuspect = false;
  for (const name in parsed) {
    const value = parsed[name];
    if (typeof value === 'string') {
      count++;
      isSuspect ||= value.includes(REPLACEMENT);
    } else if (value !== undefined) {
      count += value.length;
      isSuspect ||= value.some((one) => one.includes(REPLACEMENT));
      parsed[name] = value.at(-1) ?? '';
      (parsed[REPEATED] ??= new Map()).set(name, value);
    }
    isSuspect ||= name.includes(REPLACEMENT);
  }
  if (count > PARAMETERS_MAX) return EXCESSIVE;
  return isSuspect && !isText(encoded) ? UNREADABLE : (parsed as RawParams);
}

/** Whether the encoded bytes are UTF-8. A percent sign that encodes nothing stands for itself. */
function isText(encoded: string): boolean {
  try {
    decodeURIComponent(encoded.replace(/%(?![0-9a-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

export function unreadable(): Refusal {
  return badRequest('Parameters must be text in UTF-8');
}

export function tooMany(): Refusal {
  return badRequest(`Too many parameters (limit: ${PARAMETERS_MAX})`);
}

/**
 * Reads a JSON body: an object whose values are the parameters, strings as they are and others as JSON text. `null`
 * counts as absent, except for parameters that accept it; it must not become the text "null".
 */
export function readJsonBody(body: Buffer): RawParams {
  const json = textOf(body);
  if (json.trim() === '') return NOTHING_GIVEN;
  const parsed = parseJson(json, BODY_LIMIT_BYTES);
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
  if (body === NOTHING_GIVEN) return query;
  for (const _ in query) {
    const merged = { __proto__: null, ...query, ...body } as unknown as RawParams;
    const repeated = [...(query[REPEATED] ?? [])].filter(([name]) => !(name in body));
    repeated.push(...(body[REPEATED] ?? []));
    if (repeated.length > 0) merged[REPEATED] = new Map(repeated);
    else delete merged[REPEATED];
    return merged;
  }
  return body;
}
