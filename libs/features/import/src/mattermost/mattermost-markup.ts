import { translatedMarkup } from '../translated/message-text.js';

/** What the translation of Mattermost's Markdown looks up. */
export interface MattermostNames {
  /** Markdown that mentions the user of this name; undefined when unknown. */
  mention(username: string): string | undefined;
  /** Name here of a channel of the same team by its name in addresses. */
  channel(name: string): string | undefined;
}

const MARKUP = /[@~`$]|!\[/;
/** Code blocks up to their end, or that of the text, and code in a line. */
const CODE = /(^ {0,3}```[\s\S]*?^ {0,3}```[^\S\n]*$|^ {0,3}```[\s\S]*|`[^`\n]+`)/gm;
const MENTION = /(?<![\p{L}\p{N}_@./:-])@([A-Za-z0-9][A-Za-z0-9._-]{0,63})/gu;
const CHANNEL = /(?<![\p{L}\p{N}_~])~([a-z0-9][a-z0-9_-]{0,63})(?!~)/gu;
const WILDCARDS: ReadonlySet<string> = new Set(['all', 'channel', 'here']);
/** Pictures with the size that Mattermost allows after the address. */
const PICTURE = /!\[([^\]\n]{0,1000})\]\(\s{0,10}<?([^()\s>]+)>?(?:\s+=\d*x?\d*)?(?:\s+"[^"\n]*")?\s*\)/g;
const FORMULA = /(?<![\\$\p{L}\p{N}])\$(?![\s$])([^$\n]*[^\s$\\])\$(?![$\p{L}\p{N}])/gu;

/** Mattermost's Markdown in that of this server. Most of it is the same. Overlong text is cut. */
export function markdownOfMattermost(text: string, names: MattermostNames): string {
  return translatedMarkup(text, { pattern: MARKUP, code: CODE, codeOf, proseOf: (prose) => proseOf(prose, names) });
}

/** Blocks of formulas have another name. */
function codeOf(code: string): string {
  return code.replace(/^( {0,3}```)(?:latex|tex)(?=[^\S\n]*\n)/i, '$1math');
}

function proseOf(text: string, names: MattermostNames): string {
  return text
    .replaceAll(PICTURE, (_, label: string, target: string) => `[${label.trim() || target}](${target})`)
    .replaceAll(FORMULA, '$$$$$1$$$$')
    .replaceAll(MENTION, (whole: string, name: string) => mentionOf(whole, name, names))
    .replaceAll(CHANNEL, (whole: string, name: string) => {
      const channel = names.channel(name);
      return channel === undefined ? whole : `#**${channel}**`;
    });
}

/** Punctuation at the end belongs to the name only when there is such a user. */
function mentionOf(whole: string, written: string, names: MattermostNames): string {
  for (let name = written; ; name = name.slice(0, -1)) {
    const rest = written.slice(name.length);
    const mention = WILDCARDS.has(name.toLowerCase()) ? '@**all**' : names.mention(name.toLowerCase());
    if (mention !== undefined) return mention + rest;
    if (!/[._-]$/.test(name)) return whole;
  }
}
