import type { Env } from 'markdown-it';
import type { AutolinkMemo } from './links/autolinks.js';
import { StepBudget } from './links/pattern-program.js';
import type { Mentions, RenderWorld } from './world.js';

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
 * HTML of emoji, mentions, links to channels and times, in characters. Each takes 50 to 150 for as few as one character
 * of source, so a message of nothing else would grow twentyfold; beyond the limit they stay source. Some 400 emoji fit:
 * more than people put into a message.
 */
export const MARKUP_LENGTH_LIMIT = 40_000;
/** Code beyond this is not highlighted: some grammars take quadratic time. */
const HIGHLIGHT_LENGTH_LIMIT = 4_000;
/** Further pictures are links only. */
const PREVIEWS_LIMIT = 24;
/** More matches do not occur in a message for people. */
const LINKIFIER_MATCHES_LIMIT = 200;
/** A hundred typical patterns take less for the longest message. Spending all of it takes some 0.15 s. */
export const LINKIFIER_STEPS_LIMIT = 5_000_000;

/** A mentioned user or group, in the metadata of a token. */
export type Mention =
  | { readonly kind: 'user' | 'group'; readonly id: number; readonly silent: boolean }
  | { readonly kind: 'channel' | 'topic'; readonly silent: boolean };

/** State of one call of `render`, in markdown-it's environment. */
export class Rendering {
  readonly users = new Set<number>();
  readonly silentUsers = new Set<number>();
  readonly groups = new Set<number>();
  readonly silentGroups = new Set<number>();
  channelWildcard = false;
  topicWildcard = false;
  hasLink = false;
  hasImage = false;
  readonly uploads = new Set<string>();
  text = '';
  /** Inside a quote, all mentions are silent, and pictures stay links. */
  inQuote = false;
  autolinkMemo: AutolinkMemo | undefined;
  linkifierMatchesLeft = LINKIFIER_MATCHES_LIMIT;
  readonly linkifierBudget = new StepBudget(LINKIFIER_STEPS_LIMIT);
  #markupLeft = MARKUP_LENGTH_LIMIT;
  #mathLeft = MATH_LENGTH_LIMIT;
  #mathBytesLeft = MATH_BYTES_LIMIT;
  #highlightLeft = HIGHLIGHT_LENGTH_LIMIT;
  #previewsLeft: number;
  readonly #previewed = new Set<string>();

  constructor(
    readonly world: RenderWorld,
    previews: boolean,
  ) {
    this.#previewsLeft = previews && world.inlinePreviews !== false ? PREVIEWS_LIMIT : 0;
  }

  /**
   * Whether another emoji, mention, channel link or time may be shown as HTML of this length. After the first that may
   * not, none may.
   */
  spendMarkup(length: number): boolean {
    this.#markupLeft -= length;
    return this.#markupLeft >= 0;
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
    this.#mathBytesLeft = bytes > this.#mathBytesLeft ? 0 : this.#mathBytesLeft - bytes;
    return this.#mathBytesLeft > 0;
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
    switch (mention.kind) {
      case 'user':
        (mention.silent ? this.silentUsers : this.users).add(mention.id);
        break;
      case 'group':
        (mention.silent ? this.silentGroups : this.groups).add(mention.id);
        break;
      case 'channel':
        this.channelWildcard ||= !mention.silent;
        break;
      case 'topic':
        this.topicWildcard ||= !mention.silent;
    }
  }

  mentions(): Mentions {
    return {
      users: [...this.users],
      silentUsers: [...this.silentUsers].filter((id) => !this.users.has(id)),
      groups: [...this.groups],
      silentGroups: [...this.silentGroups].filter((id) => !this.groups.has(id)),
      channelWildcard: this.channelWildcard,
      topicWildcard: this.topicWildcard,
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
