import MarkdownItConstructor from 'markdown-it';
import type { MarkdownIt, RendererRule, StateInline } from 'markdown-it';
import { autolinkRule } from './autolink.rule.js';
import { autolinks } from './autolinks.js';
import { channelLinkRule } from './channel-link.rule.js';
import { blankCodeRule, loneQuoteRule, mixedBulletsRule, struckRule } from './chat-dialect.rule.js';
import { codeBlockHtml } from './code.js';
import { emojiRule } from './emoji.rule.js';
import { fenceRule } from './fence.rule.js';
import { escapeText, openTag } from './html.js';
import { finishRule, inlineRule } from './inline-pass.rule.js';
import { isLinkTarget } from './links.js';
import { mathRule } from './math.rule.js';
import { allowTwoBlankNesting } from './list-nesting.js';
import { mentionRule } from './mention.rule.js';
import { deepBlockRule, largeTableRule } from './nesting.rule.js';
import { OWN_HTML } from './own-html.js';
import { renderingOf, type Rendering } from './rendering.js';
import { timeRule } from './time.rule.js';

/** The last resort behind our own limits, which show what is nested deeper as text: here the parser drops it. */
const NESTING_LIMIT = 60;
const UNDERSCORE = 95;

function createParser(): MarkdownIt {
  const md = new MarkdownItConstructor({ html: false, breaks: true, linkify: true, maxNesting: NESTING_LIMIT });
  md.linkify = autolinks;
  md.validateLink = isLinkTarget;
  md.normalizeLinkText = (url) => url;
  md.disable(['reference', 'html_block', 'html_inline', 'lheading']);

  md.block.ruler.before('table', 'deep_block', deepBlockRule);
  md.block.ruler.before('table', 'large_table', largeTableRule);
  md.block.ruler.before('fence', 'own_fence', fenceRule, { alt: ['paragraph', 'blockquote', 'list'] });
  md.block.ruler.before('blockquote', 'lone_quote', loneQuoteRule);
  allowTwoBlankNesting(md);

  md.inline.ruler.at('linkify', autolinkRule);
  md.inline.ruler.before('backticks', 'blank_code', blankCodeRule);
  md.inline.ruler.before('strikethrough', 'struck', struckRule);
  md.inline.ruler.before('emphasis', 'underscore', underscoreRule);
  md.inline.ruler.before('emphasis', 'mention', mentionRule);
  md.inline.ruler.before('emphasis', 'channel_link', channelLinkRule);
  md.inline.ruler.before('emphasis', 'emoji', emojiRule);
  md.inline.ruler.before('emphasis', 'math', mathRule);
  md.inline.ruler.before('autolink', 'time', timeRule);

  md.core.ruler.after('block', 'mixed_bullets', mixedBulletsRule);
  md.core.ruler.at('inline', inlineRule);
  md.core.ruler.push('finish', finishRule);

  Object.assign(md.renderer.rules, rendererRules);
  joinTightItems(md);
  return md;
}

/** `_x_` and `__x__` are no emphasis: names with underscores are common in chat. */
function underscoreRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== UNDERSCORE) return false;
  if (!silent) state.pending += '_';
  state.pos++;
  return true;
}

/**
 * A block behind the text of a tight list's item, whose paragraph has no tags, follows without the line end that markdown-it puts there:
 * clients that draw text as it stands would show it.
 */
function joinTightItems(md: MarkdownIt): void {
  const renderToken = md.renderer.renderToken.bind(md.renderer);
  md.renderer.renderToken = (tokens, index, options) => {
    const html = renderToken(tokens, index, options);
    return html.startsWith('\n') ? html.slice(1) : html;
  };
}

/** Clients expect a body in every table, also where there are no rows. */
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

/** The first word behind the fence, `{.python}` included; without one the organization's default, which `text` turns off. */
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

/** One parser serves all calls; what belongs to a call travels in the environment. */
export const parser = createParser();
