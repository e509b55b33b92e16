import { JSON_DEPTH_MAX, JSON_LENGTH_MAX } from '../limits/limits.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Result of parsing a parameter's JSON text. */
export type ParsedJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'excessive'; readonly reason: string };

/**
 * Possible beginnings of JSON. Detects most other text, such as a channel's name: a thrown SyntaxError costs far more.
 */
const BEGINS_LIKE_JSON = /^[ \t\n\r]*(?:[[{"\-0-9]|(?:true|false|null)[ \t\n\r]*$)/;

/** Sixteen digits may exceed 2^53, as may an exponent. */
const MAY_BE_INEXACT = /\d{16}|\d[eE]/;

const MALFORMED: ParsedJson = { kind: 'malformed' };

/**
 * Parses untrusted JSON. Length and depth are checked before parsing, so that no recursion over the value can exhaust
 * the stack. Text with half a surrogate pair is malformed, because it could not be stored. So is a number that
 * JSON.parse would round: an inexact ID is another object's.
 */
export function parseJson(text: string, lengthMax: number = JSON_LENGTH_MAX): ParsedJson {
  if (text.length > lengthMax) return { kind: 'excessive', reason: `is too long (limit: ${lengthMax} characters)` };
  if (text.length > JSON_DEPTH_MAX && deeperThan(text, JSON_DEPTH_MAX)) {
    return { kind: 'excessive', reason: `is nested too deeply (limit: ${JSON_DEPTH_MAX} levels)` };
  }
  if (!BEGINS_LIKE_JSON.test(text)) return MALFORMED;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return MALFORMED;
  }
  // Only an escape can contain a lone surrogate: the request's text was decoded from UTF-8.
  if (text.includes('\\u') && !wellFormed(value)) return MALFORMED;
  if (MAY_BE_INEXACT.test(text) && !exact(value)) return MALFORMED;
  return { kind: 'value', value };
}

function deeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (quoted) {
      if (unit === BACKSLASH) i++;
      else if (unit === QUOTE) quoted = false;
    } else if (unit === QUOTE) {
      quoted = true;
    } else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) {
      if (++depth > limit) return true;
    } else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) {
      depth--;
    }
  }
  return false;
}

function wellFormed(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(wellFormed);
  return Object.entries(value).every(([key, item]) => isWellFormed(key) && wellFormed(item));
}

/** Whether no number is an integer beyond 2^53, or infinite. */
function exact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || (Number.isFinite(value) && value % 1 !== 0);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(exact);
}

/** Available in every supported Node, but not in the TypeScript target's library. */
type Text2024 = string & { isWellFormed(): boolean; toWellFormed(): string };

/** Whether the text has no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return (text as Text2024).isWellFormed();
}

/** Replaces each lone surrogate with U+FFFD. */
export function toWellFormed(text: string): string {
  return (text as Text2024).toWellFormed();
}
