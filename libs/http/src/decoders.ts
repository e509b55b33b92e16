import type { JsonObject } from '#kernel';
import { badRequest, Refusal } from '#kernel';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { isWellFormed, parseJson, toWellFormed } from './json-text.js';
import { ECHO_LENGTH_MAX } from './limits.js';

/**
 * Turns the text of one parameter into a value, or refuses it: `REQUEST_VARIABLE_INVALID` (`var_name`, `bad_value`)
 * when the text cannot be read at all, `BAD_REQUEST` naming the parameter and the limit when what it says is not
 * allowed (supplement, rules §1).
 */
export interface Decoder<T> {
  /** The text is JSON: `null` and `undefined` then stand for an absent optional parameter (zulip-js sends them). */
  readonly isJson: boolean;
  /** `null` is a value of its own, not absence. */
  readonly acceptsNull: boolean;
  /** JSON Schema of the value, for the OpenAPI document. */
  readonly schema: JsonObject;
  decode(raw: string, name: string): T;
}

export function invalidParameter(name: string, raw: string): Refusal {
  return new Refusal('REQUEST_VARIABLE_INVALID', `Bad value for '${name}': ${echo(raw)}`, {
    var_name: name,
    bad_value: echo(raw),
  });
}

function echo(raw: string): string {
  return raw.length <= ECHO_LENGTH_MAX ? raw : `${raw.slice(0, ECHO_LENGTH_MAX)}…`;
}

/** An exact integer: `1.0`, `1e3`, `" 1"` and anything beyond 2^53 are refused. `min` and `max` are inclusive. */
export function integer({ min, max }: { min?: number; max?: number } = {}): Decoder<number> {
  return {
    isJson: true,
    acceptsNull: false,
    schema: { type: 'integer', ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) },
    decode(raw, name) {
      const value = exactInteger(raw);
      if (value === undefined) throw invalidParameter(name, raw);
      if (min !== undefined && value < min) throw badRequest(`${name} is too small (limit: ${min})`);
      if (max !== undefined && value > max) throw badRequest(`${name} is too large (limit: ${max})`);
      return value;
    },
  };
}

/** The integer that this text is the one and only spelling of. */
export function exactInteger(raw: string): number | undefined {
  if (raw.length === 0 || raw.length > 17) return undefined;
  const value = Number(raw);
  return Number.isSafeInteger(value) && String(value) === raw ? value : undefined;
}

/** JSON `true` or `false`, nothing else. */
export function boolean(): Decoder<boolean> {
  return {
    isJson: true,
    acceptsNull: false,
    schema: { type: 'boolean' },
    decode(raw, name) {
      if (raw === 'true') return true;
      if (raw === 'false') return false;
      throw invalidParameter(name, raw);
    },
  };
}

/** Raw text, as it came. `min` and `max` are lengths in code points, inclusive. NUL and trimming are the feature's business. */
export function text({ min, max }: { min?: number; max?: number } = {}): Decoder<string> {
  return {
    isJson: false,
    acceptsNull: false,
    schema: {
      type: 'string',
      ...(min !== undefined && { minLength: min }),
      ...(max !== undefined && { maxLength: max }),
    },
    decode(raw, name) {
      if (max !== undefined && raw.length > max && codePoints(raw) > max) {
        throw badRequest(`${name} is too long (limit: ${max} characters)`);
      }
      if (min !== undefined && raw.length < 2 * min && codePoints(raw) < min) {
        throw badRequest(min === 1 ? `${name} cannot be empty` : `${name} is too short (limit: ${min} characters)`);
      }
      if (!isWellFormed(raw)) throw invalidParameter(name, toWellFormed(raw));
      return raw;
    },
  };
}

function codePoints(value: string): number {
  let count = 0;
  for (let i = 0; i < value.length; i++) {
    count++;
    if ((value.codePointAt(i) ?? 0) > 0xffff) i++;
  }
  return count;
}

/** One of these strings (sent raw) or integers. */
export function oneOf<const T extends string | number>(...values: readonly T[]): Decoder<T> {
  const bySpelling = new Map(values.map((value) => [String(value), value]));
  const numeric = values.every((value) => typeof value === 'number');
  return {
    isJson: numeric,
    acceptsNull: false,
    schema: { type: numeric ? 'integer' : 'string', enum: [...values] },
    decode(raw, name) {
      const value = bySpelling.get(raw);
      if (value !== undefined) return value;
      if (numeric && exactInteger(raw) === undefined) throw invalidParameter(name, raw);
      throw badRequest(`Invalid ${name}. It must be one of: ${[...bySpelling.keys()].join(', ')}`);
    },
  };
}

/** JSON text of this shape. The schema is compiled once, here. Depth and length are bounded before parsing. */
export function json<S extends TSchema>(schema: S, { lengthMax }: { lengthMax?: number } = {}): Decoder<Static<S>> {
  const check = shapeOf(schema);
  return {
    isJson: true,
    acceptsNull: false,
    schema: schema as unknown as JsonObject,
    decode(raw, name) {
      const parsed = parseJson(raw, lengthMax);
      if (parsed.kind === 'excessive') throw badRequest(`${name} ${parsed.reason}`);
      if (parsed.kind === 'malformed') throw invalidParameter(name, raw);
      return check(parsed.value, name, raw.length);
    },
  };
}

/**
 * JSON of this shape or, when the text is no JSON at all, the text itself: `to` may be `[9, 10]`, `9`, `"Denmark"` or
 * plain `Denmark` (supplement, clients §4).
 */
export function jsonOrText<S extends TSchema>(
  schema: S,
  { lengthMax }: { lengthMax?: number } = {},
): Decoder<Static<S> | string> {
  const check = shapeOf(schema);
  return {
    isJson: true,
    acceptsNull: false,
    schema: { anyOf: [schema as unknown as JsonObject, { type: 'string' }] },
    decode(raw, name) {
      const parsed = parseJson(raw, lengthMax);
      if (parsed.kind === 'excessive') throw badRequest(`${name} ${parsed.reason}`);
      if (parsed.kind === 'malformed') return toWellFormed(raw);
      return typeof parsed.value === 'string' ? parsed.value : check(parsed.value, name, raw.length);
    },
  };
}

/** The same, or JSON `null`. */
export function nullable<T>(decoder: Decoder<T>): Decoder<T | null> {
  return {
    isJson: true,
    acceptsNull: true,
    schema: { anyOf: [decoder.schema, { type: 'null' }] },
    decode: (raw, name) => (raw === 'null' ? null : decoder.decode(raw, name)),
  };
}

/** Explaining a mismatch walks the whole value and costs far more than finding it, so only short texts are explained. */
const EXPLAINED_LENGTH_MAX = 16 * 1024;

function shapeOf<S extends TSchema>(schema: S): (value: unknown, name: string, textLength: number) => Static<S> {
  const validator = Compile(schema);
  const maxItems = maxItemsOf(schema);
  return (value, name, textLength) => {
    if (validator.Check(value)) return value;
    if (maxItems !== undefined && Array.isArray(value) && value.length > maxItems) {
      throw badRequest(`${name} has too many items (limit: ${maxItems})`);
    }
    if (textLength > EXPLAINED_LENGTH_MAX) throw badRequest(`${name} does not have the expected form`);
    throw badRequest(`${name}${explain(validator.Errors(value))}`);
  };
}

/** Of a list, or of the list among alternatives. */
function maxItemsOf(schema: { maxItems?: number; anyOf?: readonly { maxItems?: number }[] }): number | undefined {
  return schema.maxItems ?? schema.anyOf?.find(({ maxItems }) => maxItems !== undefined)?.maxItems;
}

interface Mismatch {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
}

/** Where there are alternatives, the one that came furthest tells most. */
function explain(errors: readonly Mismatch[]): string {
  const told = errors.filter(({ keyword }) => keyword !== 'boolean' && keyword !== 'anyOf');
  const depthMax = Math.max(...told.map(depthOf));
  const error = told.find((one) => depthOf(one) === depthMax) ?? errors[0];
  if (error === undefined) return ' does not have the expected form';
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `["${echo(key)}"]`))
    .join('');
  const said = told.filter((one) => one.instancePath === error.instancePath && one.keyword === error.keyword);
  const messages = [...new Set(said.map(({ message }) => echo(message)))];
  return `${path} ${error.keyword === 'type' ? messages.join(' or ') : echo(error.message)}`;
}

function depthOf({ instancePath }: Mismatch): number {
  return instancePath.split('/').length;
}
