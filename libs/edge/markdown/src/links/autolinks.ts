import { LinkifyIt, type Match, REBuilder } from 'linkify-it';
import { URL_LENGTH_LIMIT } from './links.js';

/** A range of the source. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * State of an inline pass for its source: the last measured run without blanks, and where no link begins. It avoids
 * examining parts of a run again for every `://` in it.
 */
export interface AutolinkMemo {
  readonly source: string;
  run: Span;
  refused: Span;
}

/** Top-level domains beyond the two-letter ones that make `example.dev` a link. */
const TLDS =
  'ai app art arpa aero asia biz blog cat chat cloud club com community coop design dev digital edu email events fm foundation fun gov ' +
  'group host info int io jobs link live me media mil mobi museum name net network news online org page pro science shop site social ' +
  'software space store studio support systems team tech tel today tools top travel tv video wiki work works world xyz zone рф';
/** Two-letter domains that are far more often file extensions. */
const FILE_EXTENSIONS = new Set(['md', 'py']);
/** Two-letter domains that are file extensions when there is only a name: `main.rs`, but not `docs.rs/x`. */
const FILE_NAME = /^(?!www\.)[^/?#:]+\.(?:am|rs|sh|so)$/i;

/** Without one of these there is no link: a quick check before large patterns. */
const MAYBE_LINK = /\.\S|:\/\/|@|mailto:/i;
/** No address extends beyond one of these runs. */
const RUN = /[^\s\p{Cc}<>｜]+/gu;
/** Punctuation of scripts without blanks, which separates the addresses in a run that is longer than any address. */
const PIECE = /[\0-\x7f\P{P}]+/gu;

/** Nesting depth of brackets within an address. */
const BRACKETS_DEPTH_LIMIT = 6;

class AddressPatterns extends REBuilder {
  override nestedPairRE(open: string, close: string): string {
    return super.nestedPairRE(open, close, BRACKETS_DEPTH_LIMIT);
  }
}

/**
 * Finds URLs, e-mail addresses and bare domains in text. The library looks back from each candidate, so it only gets
 * pieces of bounded length (`URL_LENGTH_LIMIT`), each once: the time is linear in the text.
 */
class Autolinks extends LinkifyIt {
  constructor() {
    super({
      fuzzyLink: true,
      fuzzyEmail: true,
      urlAuth: true, // Without it `http://user@host` links to a host named `user`.
      maxLength: URL_LENGTH_LIMIT,
      rebuilder: new AddressPatterns(),
    });
    this.add('//', null);
    const countries = this.__opts__.tlds.filter((tld) => tld.length === 2 && !FILE_EXTENSIONS.has(tld));
    this.tlds([...countries, ...TLDS.split(' ')]);
  }

  /** Quick check for links, which may return true without any. */
  override test(text: string): boolean {
    return MAYBE_LINK.test(text);
  }

  /** All links in the order of the text. A run without blanks that is longer than an address may be has none. */
  override match(text: string): Match[] {
    const found: Match[] = [];
    for (const run of text.matchAll(RUN)) {
      if (run[0].length <= URL_LENGTH_LIMIT) this.#collect(run[0], run.index, found);
      else for (const piece of run[0].matchAll(PIECE)) this.#collect(piece[0], run.index + piece.index, found);
    }
    return found;
  }

  /** The link at the beginning of the text, if any. */
  override matchAtStart(text: string): Match | null {
    const match = super.matchAtStart(text);
    if (match !== null) dropClosingColon(match);
    return match;
  }

  #collect(piece: string, offset: number, found: Match[]): void {
    if (piece.length > URL_LENGTH_LIMIT || !MAYBE_LINK.test(piece)) return;
    for (const match of super.match(piece) ?? []) {
      if (!isMeant(match, piece)) continue;
      dropClosingColon(match);
      match.index += offset;
      match.lastIndex += offset;
      found.push(match);
    }
  }
}

/** A colon after an address belongs to the sentence: `https://example.com/x: read this`. */
function dropClosingColon(match: Match): void {
  const colons = /(?<=[^:]):+$/.exec(match.raw)?.[0].length ?? 0;
  if (colons === 0) return;
  match.lastIndex -= colons;
  match.raw = match.raw.slice(0, -colons);
  match.text = match.text.slice(0, -colons);
  match.url = match.url.slice(0, -colons);
}

/** Excludes false matches: file names, and text that only begins like a mailbox. */
function isMeant({ schema, raw, url, lastIndex }: Match, piece: string): boolean {
  if (schema === '' && FILE_NAME.test(raw)) return false;
  return !url.startsWith('mailto:') || piece.charAt(lastIndex) !== '/';
}

export const autolinks = new Autolinks();
