import { JSON_DEPTH_MAX, JSON_LENGTH_MAX } from './limits.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** What a parameter's JSON text turned out to be. */
export type ParsedJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'excessive'; readonly reason: string };

/** How JSON can begin. Most text that is none, such as a channel's name, is told by this: a thrown SyntaxError costs far more. */
const BEGINS_LIKE_JSON = /^[ \t\n\r]*(?:[[{"\-0-9]|(?:true|false|null)[ \t\n\r]*$)/;

/** Sixteen digits may be more than 2^53, and an exponent may be as well. */
const MAY_BE_INEXACT = /\d{16}|\d[eE]/;

const MALFORMED: ParsedJson = { kind: 'malformed' };

/**
 * Reads JSON that a stranger wrote. Length and depth are looked at before parsing, so that nothing that recurses over
 * the value later can run out of stack. Text that holds half a surrogate pair is malformed: it could not be stored. So is
 * a number that JSON.parse rounds to another one: an ID must be exact, or it is somebody else's.
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
  // Only an escape can smuggle in a lone surrogate: the request's own text was decoded from UTF-8.
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

/** In every Node that we run on, and not yet in the language level that we compile for. */
type Text2024 = string & { isWellFormed(): boolean; toWellFormed(): string };

/** Whether the text holds no half of a surrogate pair. */
export function isWellFormed(text: string): boolean {
  return (text as Text2024).isWellFormed();
}

/** The text with U+FFFD in place of each half of a surrogate pair. */
export function toWellFormed(text: string): string {
  return (text as Text2024).toWellFormed();
}
