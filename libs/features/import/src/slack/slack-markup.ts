import { translatedMarkup } from '../translated/message-text.js';

/** What the translation of Slack's markup looks up. */
export interface SlackNames {
  /** Markdown that mentions the user of this ID; undefined when unknown. */
  mention(key: string): string | undefined;
  /** Name of a channel by its ID. */
  channel(key: string): string | undefined;
}

/** Characters of which all markup has one. */
const MARKUP = /[<>&*~`]/;
const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;
const REFERENCE = /<([^<>\n]{1,3000})>/g;
/** Markers that begin and end at the edge of a word. */
const BOLD = /(?<![\p{L}\p{N}*])\*(?![\s*])([^\n*]*[^\s*])\*(?![\p{L}\p{N}*])/gu;
const STRUCK = /(?<![\p{L}\p{N}~])~(?![\s~])([^\n~]*[^\s~])~(?![\p{L}\p{N}~])/gu;

/** Slack's markup as Markdown. Overlong text is cut. */
export function markdownOfSlack(text: string, names: SlackNames): string {
  return translatedMarkup(text, { pattern: MARKUP, code: CODE, codeOf, proseOf: (prose) => proseOf(prose, names) });
}

function codeOf(code: string): string {
  const plain = unescaped(code.replaceAll(REFERENCE, (_, reference: string) => reference.split('|').at(-1) ?? ''));
  if (!plain.startsWith('```')) return plain;
  const inside = plain.slice(3, -3).replace(/^\n/, '').replace(/\n$/, '');
  return `\n\`\`\`\n${inside}\n\`\`\`\n`;
}

function proseOf(text: string, names: SlackNames): string {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(REFERENCE)) {
    parts.push(styledText(text.slice(from, match.index)), referenceOf(match[1] ?? '', names));
    from = match.index + match[0].length;
  }
  parts.push(styledText(text.slice(from)));
  return parts.join('');
}

/** `_italic_` is italic in Markdown as well. */
function styledText(text: string): string {
  const bold = text.includes('*') ? text.replaceAll(BOLD, '**$1**') : text;
  return unescaped(bold.includes('~') ? bold.replaceAll(STRUCK, '~~$1~~') : bold);
}

function referenceOf(reference: string, names: SlackNames): string {
  const [target, label] = split(reference);
  const rest = target.slice(1);
  switch (target[0]) {
    case '@':
      return names.mention(rest) ?? `@${unescaped(label ?? rest)}`;
    case '#': {
      const channel = names.channel(rest);
      return channel === undefined ? `#${unescaped(label ?? rest)}` : `#**${channel}**`;
    }
    case '!':
      return commandOf(rest, label);
    default:
      return linkOf(unescaped(target), label === undefined ? undefined : unescaped(label));
  }
}

function split(reference: string): [string, string | undefined] {
  const bar = reference.indexOf('|');
  return bar === -1 ? [reference, undefined] : [reference.slice(0, bar), reference.slice(bar + 1)];
}

function commandOf(command: string, label: string | undefined): string {
  if (/^(?:channel|everyone|here)\b/.test(command)) return '@**all**';
  return unescaped(label ?? command.split('^').at(-1) ?? '');
}

function linkOf(target: string, label: string | undefined): string {
  const plain = target.replace(/^mailto:/, '');
  if (label === undefined || label === plain || label === target) return plain;
  return `[${label.replaceAll(/[[\]]/g, '')}](${target.replaceAll(')', '%29')})`;
}

/** Plain text of Slack, such as a name. It escapes these three characters alone, wherever people write. */
export function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
