import type { Env } from 'markdown-it';
import type { AutolinkMemo } from './autolinks.js';
import { StepBudget } from './pattern-program.js';
import type { Mentions, RenderWorld } from './world.js';

/** KaTeX writes some hundred bytes for each character it is given: enough for long formulas, and a bound on what one message costs. */
const MATH_LENGTH_LIMIT = 4_000;
/** What a formula costs besides its length. */
const FORMULA_LENGTH_EXTRA = 20;
/** Code beyond this is shown without colours: some grammars take time quadratic in what they are given. */
const HIGHLIGHT_LENGTH_LIMIT = 4_000;
/** More pictures than this are links only. */
const PREVIEWS_LIMIT = 24;
/** A message in which linkifiers match more often than this is no message for people. */
const LINKIFIER_MATCHES_LIMIT = 200;
/** A hundred usual patterns take less for the longest message. Spending all of it takes some 0.15 s. */
export const LINKIFIER_STEPS_LIMIT = 5_000_000;

/** Somebody called by their name, as a token of the message carries it. */
export type Mention =
  | { readonly kind: 'user' | 'group'; readonly id: number; readonly silent: boolean }
  | { readonly kind: 'channel' | 'topic'; readonly silent: boolean };

/** What one call of `render` finds out while the parser goes through the content. Travels in markdown-it's environment. */
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
  /** Inside a quote everybody is mentioned silently, and pictures stay links. */
  inQuote = false;
  autolinkMemo: AutolinkMemo | undefined;
  linkifierMatchesLeft = LINKIFIER_MATCHES_LIMIT;
  readonly linkifierBudget = new StepBudget(LINKIFIER_STEPS_LIMIT);
  #mathLeft = MATH_LENGTH_LIMIT;
  #highlightLeft = HIGHLIGHT_LENGTH_LIMIT;
  #previewsLeft: number;
  readonly #previewed = new Set<string>();

  constructor(
    readonly world: RenderWorld,
    previews: boolean,
  ) {
    this.#previewsLeft = previews ? PREVIEWS_LIMIT : 0;
  }

  /** Whether another formula of this length may be typeset. */
  spendMath(length: number): boolean {
    this.#mathLeft -= length + FORMULA_LENGTH_EXTRA;
    return this.#mathLeft >= 0;
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

  /** The same for an upload that is linked to: it is shown once, however often it is. */
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
