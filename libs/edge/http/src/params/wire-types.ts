import type { JsonObject } from '#kernel';
import { badRequest, excerpt, Refusal } from '#kernel';
import { isWellFormed, parseJson, toWellFormed } from './json-text.js';
import { ECHO_LENGTH_MAX } from '../limits/limits.js';

/**
 * How a parameter is written: parses its text to a value, or refuses other text with `REQUEST_VARIABLE_INVALID`
 * (`var_name`, `bad_value`). Allowed values are defined by constraints on the property (`#validation`).
 */
export interface WireType<T> {
  /** The text is JSON: `null` and `undefined` then stand for an absent optional parameter (zulip-js sends them). */
  readonly isJson: boolean;
  /** `null` is a value, not absence. */
  readonly acceptsNull: boolean;
  /** JSON Schema for the OpenAPI document, from that of the property's constraints. */
  describe(constrained: JsonObject): JsonObject;
  read(raw: string, name: string): T;
  /**
   * Runs last, when all constraints are met.
   * @throws Refusal
   */
  confirm?(value: T, name: string): void;
}

function invalidParameter(name: string, raw: string): Refusal {
  return new Refusal('REQUEST_VARIABLE_INVALID', `Bad value for '${name}': ${echo(raw)}`, {
    var_name: name,
    bad_value: echo(raw),
  });
}

/** Truncates a text for the answer. */
export function echo(raw: string): string {
  return raw.length <= ECHO_LENGTH_MAX ? raw : `${excerpt(raw, ECHO_LENGTH_MAX)}…`;
}

/** An exact integer: `1.0`, `1e3`, `" 1"` and anything beyond 2^53 are refused. */
export function integer(): WireType<number> {
  return {
    isJson: true,
    acceptsNull: false,
    describe: (constrained) => ({ type: 'integer', ...constrained }),
    read(raw, name) {
      const value = exactInteger(raw);
      if (value === undefined) throw invalidParameter(name, raw);
      return value;
    },
  };
}

/** The integer whose canonical form is this text. */
export function exactInteger(raw: string): number | undefined {
  if (raw.length === 0 || raw.length > 17) return undefined;
  const value = Number(raw);
  return Number.isSafeInteger(value) && String(value) === raw ? value : undefined;
}

/** JSON `true` or `false`, nothing else. */
export function boolean(): WireType<boolean> {
  return {
    isJson: true,
    acceptsNull: false,
    describe: (constrained) => ({ type: 'boolean', ...constrained }),
    read(raw, name) {
      if (raw === 'true') return true;
      if (raw === 'false') return false;
      throw invalidParameter(name, raw);
    },
  };
}

/** Raw text. NUL and trimming are left to the feature. */
export function text(): WireType<string> {
  return {
    isJson: false,
    acceptsNull: false,
    describe: (constrained) => ({ type: 'string', ...constrained }),
    read: (raw) => raw,
    confirm(value, name) {
      if (!isWellFormed(value)) throw invalidParameter(name, toWellFormed(value));
    },
  };
}

/** Text, which may also come as a JSON string: `google` and `"google"` are the same. */
export function unquoted(): WireType<string> {
  const raw = text();
  return { ...raw, read: (given, name) => raw.read(/^".*"$/s.test(given) ? given.slice(1, -1) : given, name) };
}

/** A word beside JSON `true` and `false`, as `partial`: `null` stands for an absent one, as for other JSON. */
export function jsonWord(): WireType<string> {
  return { ...unquoted(), isJson: true };
}

/** Text whose case does not matter: its lower-case form is read. */
export function lowerCase(type: WireType<string>): WireType<string> {
  return { ...type, read: (raw, name) => type.read(raw, name).toLowerCase() };
}

export interface JsonOptions {
  /** Maximum length of the text, in UTF-16 code units. */
  readonly lengthMax?: number;
}

/** JSON text. Depth and length are bounded before parsing. */
export function json({ lengthMax }: JsonOptions = {}): WireType<unknown> {
  return parsedJson(lengthMax, refuseMalformed);
}

/** @param malformed the value of text that is not JSON */
function parsedJson(
  lengthMax: number | undefined,
  malformed: (raw: string, name: string) => unknown,
): WireType<unknown> {
  return {
    isJson: true,
    acceptsNull: false,
    describe: (constrained) => constrained,
    read(raw, name) {
      const parsed = parseJson(raw, lengthMax);
      if (parsed.kind === 'excessive') throw badRequest(`${name} ${parsed.reason}`);
      return parsed.kind === 'malformed' ? malformed(raw, name) : parsed.value;
    },
  };
}

function refuseMalformed(raw: string, name: string): never {
  throw invalidParameter(name, raw);
}

/**
 * JSON or, when the text is not JSON, the text itself: `to` may be `[9, 10]`, `9`, `"Denmark"` or plain `Denmark`
 * (clients.md §4).
 */
export function jsonOrText({ lengthMax }: JsonOptions = {}): WireType<unknown> {
  return parsedJson(lengthMax, toWellFormed);
}

/** Accepts JSON `null` as well. */
export function nullable<T>(type: WireType<T>): WireType<T | null> {
  return {
    isJson: true,
    acceptsNull: true,
    describe: (constrained) => ({ anyOf: [type.describe(constrained), { type: 'null' }] }),
    read: (raw, name) => (raw === 'null' ? null : type.read(raw, name)),
  };
}
