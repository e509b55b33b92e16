import { LinkifyIt, type Match } from 'linkify-it';
import { URL_LENGTH_LIMIT } from './links.js';

/** A stretch of a source. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * What an inline pass knows about the addresses of its source: the run without blanks that was measured last, and where nothing begins
 * a link. It keeps each part of a run from being looked at again for every `://` in it.
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
/** Two-letter domains that far more often end the name of a file. */
const FILE_EXTENSIONS = new Set(['md', 'py']);
/** The same, where more than a name leads there all the same: `docs.rs/x`. */
const FILE_NAME = /^(?!www\.)[^/?#:]+\.(?:am|rs|sh|so)$/i;

/** Without one of these there is no link: checked first, since the patterns behind it are large. */
const MAYBE_LINK = /\.\S|:\/\/|@|mailto:/i;
/** No address reaches beyond one of these runs. */
const RUN = /[^\s\p{Cc}<>｜]+/gu;
/** Punctuation of scripts that are written without blanks: it separates the addresses in a run that is longer than any address. */
const PIECE = /[\0-\x7f\P{P}]+/gu;

/**
 * Finds URLs, e-mail addresses and bare domains in text. The library looks at what lies before it again for each candidate, so it is
 * only ever shown a piece of bounded length (`URL_LENGTH_LIMIT`), and each piece once: the whole takes time linear in the text.
 */
class Autolinks extends LinkifyIt {
  constructor() {
    super({ fuzzyLink: true, fuzzyEmail: true, maxLength: URL_LENGTH_LIMIT });
    this.add('//', null);
    const countries = this.__opts__.tlds.filter((tld) => tld.length === 2 && !FILE_EXTENSIONS.has(tld));
    this.tlds([...countries, ...TLDS.split(' ')]);
  }

  /** Whether it is worth to look for links; there may still be none. */
  override test(text: string): boolean {
    return MAYBE_LINK.test(text);
  }

  /** All links in the order of the text. Where more than an address may hold stands without a blank, there are none. */
  override match(text: string): Match[] {
    const found: Match[] = [];
    for (const run of text.matchAll(RUN)) {
      if (run[0].length <= URL_LENGTH_LIMIT) this.#collect(run[0], run.index, found);
      else for (const piece of run[0].matchAll(PIECE)) this.#collect(piece[0], run.index + piece.index, found);
    }
    return found;
  }

  #collect(piece: string, offset: number, found: Match[]): void {
    if (piece.length > URL_LENGTH_LIMIT || !MAYBE_LINK.test(piece)) return;
    for (const match of super.match(piece) ?? []) {
      if (!isMeant(match, piece)) continue;
      match.index += offset;
      match.lastIndex += offset;
      found.push(match);
    }
  }
}

/** What looks like an address, and is none: the name of a file, or what only begins like a mailbox. */
function isMeant({ schema, raw, url, lastIndex }: Match, piece: string): boolean {
  if (schema === '' && FILE_NAME.test(raw)) return false;
  return !url.startsWith('mailto:') || piece.charAt(lastIndex) !== '/';
}

export const autolinks = new Autolinks();
