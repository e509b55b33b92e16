import { isMeMessage } from './content.js';
import { linkifyMatches } from './links/linkifiers.js';
import { parser } from './parser.js';
import { isPlain, plainHtml } from './plain.js';
import { StepBudget } from './links/pattern-program.js';
import { environmentOf, LINKIFIER_STEPS_LIMIT, Rendering } from './rendering.js';
import type { Mentions, Rendered, RenderWorld } from './world.js';

/** Mentions of a text that mentions nobody. */
export const NO_MENTIONS: Mentions = Object.freeze({
  users: [],
  silentUsers: [],
  groups: [],
  silentGroups: [],
  channelWildcard: false,
  topicWildcard: false,
});

/**
 * Renders the content of a message, as normalised by `normalizeContent`, to HTML and the data that sending needs
 * (rules.md §9). Never throws, takes time linear in the length, and writes at most `HTML_BYTES_LIMIT`
 * bytes, or the source as it is.
 */
export function render(content: string, world: RenderWorld): Rendered {
  if (isPlain(content) && isUntouchedBy(content, world)) return plainRendered(content);
  return parsed(content, new Rendering(content, world, true));
}

/** Renders with the full parser only: tests compare the plain path with it. */
export function renderInFull(content: string, world: RenderWorld): Rendered {
  return parsed(content, new Rendering(content, world, true));
}

/** The HTML of a channel's or folder's description: mentions in it notify no user, and pictures stay links. */
export function renderDescription(markdown: string, world: RenderWorld): string {
  if (isPlain(markdown) && isUntouchedBy(markdown, world)) return plainHtml(markdown);
  return parsed(markdown, new Rendering(markdown, world, false)).html;
}

/** Whether the settings of the author and the organization leave plain characters unchanged. */
function isUntouchedBy(content: string, { translateEmoticons, linkifiers = [] }: RenderWorld): boolean {
  if (translateEmoticons === true && /[:;]/.test(content)) return false;
  if (linkifiers.length === 0) return true;
  const budget = new StepBudget(LINKIFIER_STEPS_LIMIT);
  // The parser also passes plain content line by line.
  const isTouched = content.split('\n').some((line) => linkifyMatches(line, linkifiers, 1, budget).length > 0);
  return !isTouched && !budget.isSpent;
}

function plainRendered(content: string): Rendered {
  return {
    html: plainHtml(content),
    plain: true,
    mentions: NO_MENTIONS,
    hasLink: false,
    hasImage: false,
    hasAttachment: false,
    uploads: [],
    isMeMessage: isMeMessage(content),
    textForAlertWords: content,
  };
}

function parsed(content: string, rendering: Rendering): Rendered {
  parser.parse(content, environmentOf(rendering));
  return {
    html: rendering.html.trimEnd(),
    plain: false,
    mentions: rendering.mentions(),
    hasLink: rendering.hasLink,
    hasImage: rendering.hasImage,
    hasAttachment: rendering.uploads.length > 0,
    uploads: rendering.uploads,
    isMeMessage: isMeMessage(content),
    textForAlertWords: rendering.text,
  };
}
