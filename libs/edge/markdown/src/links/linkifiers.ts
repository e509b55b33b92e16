import { firstAtLeast } from '#kernel';
import { isSafeUrl } from './links.js';
import { type Boundaries, PatternProgram, type StepBudget } from './pattern-program.js';
import { PatternError } from './pattern-syntax.js';
import { expandTemplate, templateVariables } from './url-template.js';

/** A pattern of the organization that turns text such as `#123` into links. */
export interface Linkifier {
  /** A regular expression in the syntax of RE2: named groups `(?P<id>[0-9]+)`, no look-around, no back references. */
  readonly pattern: string;
  /** Address of a match: a URL template after RFC 6570 over the named groups: `https://bugs.example.com/{id}`. */
  readonly urlTemplate: string;
}

export interface LinkifierMatch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly url: string;
}

/** The address may be twice as long, and no longer (`URL_LENGTH_LIMIT`). */
const URL_TEMPLATE_LENGTH_LIMIT = 1_000;

/** Compiled patterns are kept; past this many, old ones of long gone settings are dropped. */
const PROGRAMS_LIMIT = 1_000;

const WORD = /^[\p{L}\p{N}]$/u;
const BEFORE = new Set([' ', '\n', '\t', '\u00a0', "'", '"', '(', ',', ':', '<']);

/** A match is no part of a longer word. */
const BOUNDARIES: Boundaries = {
  mayBegin: (before) => before === undefined || BEFORE.has(before),
  mayEnd: (after) => after === undefined || !WORD.test(after),
};

const programs = new Map<string, PatternProgram | undefined>();

function programFor(pattern: string): PatternProgram | undefined {
  if (programs.has(pattern)) return programs.get(pattern);
  if (programs.size >= PROGRAMS_LIMIT) programs.clear();
  let program: PatternProgram | undefined;
  try {
    program = new PatternProgram(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    // Refused by `linkifierProblem` where it is written; one that got here matches nothing.
  }
  programs.set(pattern, program);
  return program;
}

/** Explains what is wrong with a linkifier to its author; `undefined` for a valid one. */
export function linkifierProblem({ pattern, urlTemplate }: Linkifier): string | undefined {
  let program: PatternProgram;
  try {
    program = new PatternProgram(pattern);
  } catch (error) {
    if (error instanceof PatternError) return `Bad regular expression: ${error.message}`;
    throw error;
  }
  if (urlTemplate.length > URL_TEMPLATE_LENGTH_LIMIT)
    return `URL template is longer than ${URL_TEMPLATE_LENGTH_LIMIT} characters`;
  const variables = templateVariables(urlTemplate);
  if (variables === undefined) return 'Invalid URL template.';
  const missing = program.names.find((name) => !variables.includes(name));
  if (missing !== undefined) return `Group '${missing}' in linkifier pattern is not present in URL template.`;
  const unknown = variables.find((name) => !program.names.includes(name));
  if (unknown !== undefined) return `Group '${unknown}' in URL template is not present in linkifier pattern.`;
  return isSafeUrl(expandTemplate(urlTemplate, {})) ? undefined : 'Invalid URL template.';
}

/** What is wrong with the URL template of a code playground, in words for the person who wrote it; `undefined` for a good one. */
export function playgroundProblem(urlTemplate: string): string | undefined {
  if (urlTemplate.length > URL_TEMPLATE_LENGTH_LIMIT)
    return `URL template is longer than ${URL_TEMPLATE_LENGTH_LIMIT} characters`;
  const variables = templateVariables(urlTemplate);
  if (variables === undefined) return 'Invalid URL template.';
  if (!variables.includes('code')) return 'Missing the required variable "code" in the URL template';
  if (variables.some((name) => name !== 'code'))
    return '"code" should be the only variable present in the URL template';
  return isSafeUrl(expandTemplate(urlTemplate, {})) ? undefined : 'Invalid URL template.';
}

/**
 * The matches in the order of the text, at most `limit`, within the budget. They do not overlap: an earlier linkifier
 * has precedence. Offsets are in UTF-16 units.
 */
export function linkifyMatches(
  text: string,
  linkifiers: readonly Linkifier[],
  limit: number,
  budget: StepBudget,
): LinkifierMatch[] {
  const found: LinkifierMatch[] = [];
  const chars = Array.from(text);
  // Without astral characters, offsets in code points and in UTF-16 units are equal.
  const offsets = chars.length === text.length ? undefined : utf16Offsets(chars);
  for (const { pattern, urlTemplate } of linkifiers) {
    const program = programFor(pattern);
    if (program === undefined) continue;
    for (let from = 0; found.length < limit;) {
      const match = program.find(chars, from, BOUNDARIES, budget);
      if (match === undefined) break;
      from = match.end;
      const url = expandTemplate(urlTemplate, match.groups);
      budget.left -= url.length;
      if (!isSafeUrl(url)) continue;
      const [start, end] = [offsets?.[match.start] ?? match.start, offsets?.[match.end] ?? match.end];
      found.push({ start, end, text: text.slice(start, end), url });
    }
  }
  return withoutOverlaps(found);
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Drops each range that overlaps an earlier one of the list.
 * @returns the others in the order of the text
 */
export function withoutOverlaps<S extends Stretch>(byPrecedence: readonly S[]): S[] {
  const kept: S[] = [];
  for (const stretch of byPrecedence) {
    const at = firstAtLeast(kept, stretch.start, ({ start }) => start);
    const [before, behind] = [kept[at - 1], kept[at]];
    if (
      (before === undefined || before.end <= stretch.start) &&
      (behind === undefined || stretch.end <= behind.start)
    ) {
      kept.splice(at, 0, stretch);
    }
  }
  return kept;
}

function utf16Offsets(chars: readonly string[]): number[] {
  const offsets = [0];
  let at = 0;
  for (const char of chars) offsets.push((at += char.length));
  return offsets;
}
