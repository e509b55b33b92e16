import type { Env } from 'markdown-it';
import type { AutolinkMemo } from './links/autolinks.js';
import { byteLength, sourceHtml } from './html.js';
import { StepBudget } from './links/pattern-program.js';
import type { Mentions, RenderWorld } from './world.js';

/**
 * HTML of a message, in bytes. Ten thousand characters shown as they were written take up to 50,000; markup and formulas
 * may take the rest. What comes after the block that does not fit is shown as it was written (`limited-html.rule.ts`).
 */
export const HTML_BYTES_LIMIT = 60_000;
/** Tags of paragraphs, lists and emphasis: some 450 items of a list, with emoji in each. */
const STRUCTURE_BYTES = 5_000;
/**
 * KaTeX writes some hundred bytes per input character: enough for long formulas, and a bound on the cost of a message.
 */
const MATH_LENGTH_LIMIT = 4_000;
/** Fixed cost of a formula besides its length. */
const FORMULA_LENGTH_EXTRA = 20;
/**
 * HTML of formulas, in bytes: 4,000 characters of the worst formulas take 213 kB. A formula of 200 symbols fits; what
 * comes after the first that does not fit stays as written.
 */
export const MATH_BYTES_LIMIT = 54_000;
/**
 * HTML of emoji, mentions, links to channels, times and matches of linkifiers, in characters. Each takes 50 to 150 for as
 * few as one character of source, so a message of nothing else would grow twentyfold; beyond the limit they stay source.
 * Some 400 emoji fit: more than people put into a message.
 */
export const MARKUP_LENGTH_LIMIT = 40_000;
/** Code beyond this is not highlighted: some grammars take quadratic time. */
const HIGHLIGHT_LENGTH_LIMIT = 4_000;
/** Further pictures are links only. */
const PREVIEWS_LIMIT = 24;
/** Maximum matches of linkifiers in one message; messages written by people have fewer. */
const LINKIFIER_MATCHES_LIMIT = 200;
/** A hundred typical patterns take less for the longest message. Spending all of it takes some 0.15 s. */
export const LINKIFIER_STEPS_LIMIT = 5_000_000;

/** A mentioned user or group, in the metadata of a token. */
export type Mention =
  | { readonly kind: 'user' | 'group'; readonly id: number; readonly silent: boolean }
  | { readonly kind: 'channel' | 'topic'; readonly silent: boolean };

/** Findings about the content up to some block. */
interface Mark {
  readonly mentions: number;
  readonly uploads: number;
  readonly textLength: number;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
}

/** State of one call of `render`, in markdown-it's environment. */
export class Rendering {
  hasLink = false;
  hasImage = false;
  text = '';
  /** The HTML, once the last pass has written it. */
  html = '';
  readonly #mentions: Mention[] = [];
  readonly #uploads: string[] = [];
  /** Inside a quote, all mentions are silent, and pictures stay links. */
  inQuote = false;
  autolinkMemo: AutolinkMemo | undefined;
  linkifierMatchesLeft = LINKIFIER_MATCHES_LIMIT;
  readonly linkifierBudget = new StepBudget(LINKIFIER_STEPS_LIMIT);
  #htmlBytesLeft: number;
  #markupLeft = MARKUP_LENGTH_LIMIT;
  #mathLeft = MATH_LENGTH_LIMIT;
  #mathBytesLeft = MATH_BYTES_LIMIT;
  #highlightLeft = HIGHLIGHT_LENGTH_LIMIT;
  #previewsLeft: number;
  readonly #previewed = new Set<string>();

  constructor(
    content: string,
    readonly world: RenderWorld,
    previews: boolean,
  ) {
    this.#htmlBytesLeft = HTML_BYTES_LIMIT - STRUCTURE_BYTES - byteLength(sourceHtml(content));
    this.#previewsLeft = previews && world.inlinePreviews !== false ? PREVIEWS_LIMIT : 0;
  }

  /**
   * Whether another emoji, mention, channel link or time may be shown as this HTML. After the first that may not, none
   * may.
   */
  spendMarkup(html: string): boolean {
    const fits = html.length <= this.#markupLeft && this.spendHtml(byteLength(html));
    this.#markupLeft = fits ? this.#markupLeft - html.length : 0;
    return fits;
  }

  /** Characters of HTML left for `spendMarkup`. */
  get markupLeft(): number {
    return Math.max(0, Math.min(this.#markupLeft, this.#htmlBytesLeft));
  }

  /** Whether so many bytes fit beside the source of the message. */
  spendHtml(bytes: number): boolean {
    if (bytes > this.#htmlBytesLeft) return false;
    this.#htmlBytesLeft -= bytes;
    return true;
  }

  /** Whether another formula of this length may be typeset. */
  spendMath(length: number): boolean {
    this.#mathLeft -= length + FORMULA_LENGTH_EXTRA;
    return this.#mathLeft >= 0;
  }

  /** Whether another formula may be shown as HTML, if it is small enough. */
  get showsMath(): boolean {
    return this.#mathBytesLeft > 0;
  }

  /** Whether another formula may be shown as HTML of so many bytes. After the first that may not, none may. */
  spendMathBytes(bytes: number): boolean {
    const fits = bytes < this.#mathBytesLeft && this.spendHtml(bytes);
    this.#mathBytesLeft = fits ? this.#mathBytesLeft - bytes : 0;
    return fits;
  }

  /** Whether another piece of code of this length may be coloured. */
  spendHighlight(length: number): boolean {
    this.#highlightLeft -= length;
    return this.#highlightLeft >= 0;
  }

  /** Whether another picture may be shown. */
  spendPreview(): boolean {
    if (this.inQuote || this.#previewsLeft === 0) return false;
    this.#previewsLeft--;
    return true;
  }

  /** Whether the preview of a linked upload may be shown: once, however often it is linked. */
  spendPreviewOf(pathId: string): boolean {
    if (this.#previewed.has(pathId) || !this.spendPreview()) return false;
    this.#previewed.add(pathId);
    return true;
  }

  tell(mention: Mention): void {
    this.#mentions.push(mention);
  }

  addUpload(pathId: string): void {
    this.#uploads.push(pathId);
  }

  mark(): Mark {
    const { hasLink, hasImage } = this;
    const [mentions, uploads, textLength] = [this.#mentions.length, this.#uploads.length, this.text.length];
    return { mentions, uploads, textLength, hasLink, hasImage };
  }

  /** Forgets what was found since: it is shown as it was written. */
  forgetSince({ mentions, uploads, textLength, hasLink, hasImage }: Mark): void {
    this.#mentions.length = mentions;
    this.#uploads.length = uploads;
    this.text = this.text.slice(0, textLength);
    Object.assign(this, { hasLink, hasImage });
  }

  get uploads(): string[] {
    return [...new Set(this.#uploads)];
  }

  mentions(): Mentions {
    const idsOf = (kind: 'user' | 'group', silent: boolean): number[] => [
      ...new Set(this.#mentions.flatMap((one) => (one.kind === kind && one.silent === silent ? [one.id] : []))),
    ];
    const hasLoud = (kind: 'channel' | 'topic'): boolean =>
      this.#mentions.some((one) => one.kind === kind && !one.silent);
    const [users, groups] = [idsOf('user', false), idsOf('group', false)];
    const [loudUsers, loudGroups] = [new Set(users), new Set(groups)];
    return {
      users,
      silentUsers: idsOf('user', true).filter((id) => !loudUsers.has(id)),
      groups,
      silentGroups: idsOf('group', true).filter((id) => !loudGroups.has(id)),
      channelWildcard: hasLoud('channel'),
      topicWildcard: hasLoud('topic'),
    };
  }
}

const KEY = Symbol('rendering');

export function environmentOf(rendering: Rendering): Env {
  return { [KEY]: rendering };
}

export function renderingOf(env: Env): Rendering {
  return env[KEY] as Rendering;
}
