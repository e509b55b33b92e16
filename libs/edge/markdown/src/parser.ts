import MarkdownItConstructor from 'markdown-it';
import type { MarkdownIt, RendererRule, StateInline } from 'markdown-it';
import { autolinkRule } from './links/autolink.rule.js';
import { autolinks } from './links/autolinks.js';
import { channelLinkRule } from './links/channel-link.rule.js';
import {
  blankCodeRule,
  emphasisWithinLineRule,
  loneQuoteRule,
  mixedBulletsRule,
  struckRule,
  tildesRule,
} from './blocks/chat-dialect.rule.js';
import { codeBlockHtml } from './blocks/code.js';
import { emojiRule } from './inline/emoji.rule.js';
import { codeFenceRule, fenceRule } from './blocks/fence.rule.js';
import { escapeText, openTag } from './html.js';
import { inlineRule } from './inline/inline-pass.rule.js';
import { limitedHtmlRule } from './limited-html.rule.js';
import { isLinkTarget } from './links/links.js';
import { mathRule } from './inline/math.rule.js';
import { allowTwoBlankNesting } from './blocks/list-nesting.js';
import { mentionRule } from './inline/mention.rule.js';
import { deepBlockRule, largeTableRule } from './blocks/nesting.rule.js';
import { OWN_HTML } from './own-html.js';
import { renderingOf, type Rendering } from './rendering.js';
import { timeRule } from './inline/time.rule.js';

/** Last resort after this library's own limits, which show deeper nesting as text: here the parser drops it. */
const NESTING_LIMIT = 60;
const UNDERSCORE = 95;

/** Blocks that an opening fence ends. */
const FENCE_ENDS = { alt: ['paragraph', 'blockquote', 'list'] };

function createParser(): MarkdownIt {
  const md = new MarkdownItConstructor({ html: false, breaks: true, linkify: true, maxNesting: NESTING_LIMIT });
  md.linkify = autolinks;
  md.validateLink = isLinkTarget;
  md.normalizeLinkText = (url) => url;
  md.disable(['reference', 'html_block', 'html_inline', 'lheading']);

  md.block.ruler.before('table', 'deep_block', deepBlockRule);
  md.block.ruler.before('table', 'large_table', largeTableRule);
  md.block.ruler.at('fence', codeFenceRule(parserRule(md, 'fence')), FENCE_ENDS);
  md.block.ruler.before('fence', 'own_fence', fenceRule, FENCE_ENDS);
  md.block.ruler.before('blockquote', 'lone_quote', loneQuoteRule);
  allowTwoBlankNesting(md);

  md.inline.ruler.at('linkify', autolinkRule);
  md.inline.ruler.before('backticks', 'blank_code', blankCodeRule);
  md.inline.ruler.before('strikethrough', 'struck', struckRule);
  md.inline.ruler.before('struck', 'tildes', tildesRule);
  md.inline.ruler.before('emphasis', 'underscore', underscoreRule);
  md.inline.ruler.before('emphasis', 'mention', mentionRule);
  md.inline.ruler.before('emphasis', 'channel_link', channelLinkRule);
  md.inline.ruler.before('emphasis', 'emoji', emojiRule);
  md.inline.ruler.before('emphasis', 'math', mathRule);
  md.inline.ruler.before('autolink', 'time', timeRule);

  md.inline.ruler2.before('balance_pairs', 'emphasis_within_line', emphasisWithinLineRule);

  md.core.ruler.after('block', 'mixed_bullets', mixedBulletsRule);
  md.core.ruler.at('inline', inlineRule);
  md.core.ruler.push('limited_html', limitedHtmlRule);

  Object.assign(md.renderer.rules, rendererRules);
  joinTightItems(md);
  return md;
}

/** A block rule of markdown-it, which does not export them: the one that is missing while it is disabled. */
function parserRule(md: MarkdownIt, name: string): Parameters<typeof md.block.ruler.at>[1] {
  const { ruler } = md.block;
  const rules = ruler.getRules('');
  ruler.disable(name); // Throws when there is none.
  const rest = new Set(ruler.getRules(''));
  ruler.enable(name);
  const rule = rules.find((candidate) => !rest.has(candidate));
  if (rule === undefined) throw new Error(`markdown-it's block rule ${name} was disabled before.`);
  return rule;
}

/** `_x_` and `__x__` are not emphasis: names with underscores are common in chat. */
function underscoreRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== UNDERSCORE) return false;
  if (!silent) state.pending += '_';
  state.pos++;
  return true;
}

/**
 * Removes the line end that markdown-it puts between the text of a tight list's item, whose paragraph has no tags, and
 * the next block: clients that show text as it is would show it.
 */
function joinTightItems(md: MarkdownIt): void {
  const renderToken = md.renderer.renderToken.bind(md.renderer);
  md.renderer.renderToken = (tokens, index, options) => {
    const html = renderToken(tokens, index, options);
    return html.startsWith('\n') ? html.slice(1) : html;
  };
}

/** Clients expect a body in every table, even without rows. */
const tableClose: RendererRule = (tokens, index) =>
  tokens[index - 1]?.type === 'thead_close' ? '<tbody>\n</tbody>\n</table>\n' : '</table>\n';

const cell: RendererRule = (tokens, index, options, _env, renderer) => {
  const token = tokens[index];
  if (token === undefined) return '';
  const style = token.attrGet('style');
  if (style !== null) token.attrSet('style', `${String(style).replace(':', ': ')};`);
  return renderer.renderToken(tokens, index, options);
};

const link: RendererRule = (tokens, index) => {
  const token = tokens[index];
  if (token === undefined || token.hidden) return '';
  const title = token.attrGet('title');
  return openTag('a', { href: String(token.attrGet('href') ?? ''), title: title === null ? undefined : String(title) });
};

const fence: RendererRule = (tokens, index, _options, env) => {
  const token = tokens[index];
  if (token === undefined || env === undefined) return '';
  const rendering = renderingOf(env);
  const name = token.type === 'code_block' ? '' : fenceLanguage(token.info, rendering);
  return `${codeBlockHtml(token.content, name, rendering)}\n`;
};

/**
 * The first word after the fence, including `{.python}`; without one the organization's default, which `text` turns
 * off.
 */
function fenceLanguage(info: string, { world }: Rendering): string {
  const named =
    info
      .trim()
      .split(/[\s,]/, 1)[0]
      ?.replace(/^\{?\.?|\}$/g, '') ?? '';
  if (named !== '') return named;
  return world.defaultCodeLanguage === 'text' ? '' : (world.defaultCodeLanguage ?? '');
}

const rendererRules: Record<string, RendererRule> = {
  text: (tokens, index) => escapeText(tokens[index]?.content ?? ''),
  [OWN_HTML]: (tokens, index) => tokens[index]?.content ?? '',
  code_inline: (tokens, index) => `<code>${escapeText(tokens[index]?.content ?? '')}</code>`,
  s_open: (tokens, index) => (tokens[index]?.hidden === true ? '' : '<del>'),
  s_close: (tokens, index) => (tokens[index]?.hidden === true ? '' : '</del>'),
  spoiler_open: () => '<div class="spoiler-block"><div class="spoiler-header">\n',
  spoiler_body: () => '</div><div class="spoiler-content" aria-hidden="true">\n',
  spoiler_close: () => '</div></div>\n',
  table_close: tableClose,
  th_open: cell,
  td_open: cell,
  link_open: link,
  fence,
  code_block: fence,
};

/** One parser serves all calls; the state of a call is in the environment. */
export const parser = createParser();
