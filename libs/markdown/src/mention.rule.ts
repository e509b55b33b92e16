import type { StateInline } from 'markdown-it';
import { escapeText, openTag } from './html.js';
import { pushHtml } from './own-html.js';
import { renderingOf, type Rendering } from './rendering.js';

const AT = 64;
const USER = /@(_?)\*\*([^*\n]{1,200})\*\*/y;
const GROUP = /@(_?)\*([^*\n]{1,200})\*/y;
const NAME_AND_ID = /^(.*)\|(\d{1,10})$/;
const CHANNEL_WILDCARDS = new Set(['all', 'everyone', 'stream', 'channel']);

/** Whether a mention or a link to a channel may begin at `start`: not inside a word or an e-mail address. */
export function mayBegin(source: string, start: number): boolean {
  return start === 0 || /[\s'"({[/<]/.test(source.charAt(start - 1));
}

/** `@**Name**`, `@**Name|12**`, `@**|12**`, `@**all**`, `@**topic**`, `@*group*`; silent with `@_`. */
export function mentionRule(state: StateInline, silent: boolean): boolean {
  const start = state.pos;
  if (state.src.charCodeAt(start) !== AT || !mayBegin(state.src, start)) return false;
  const rendering = renderingOf(state.env);
  for (const [pattern, html] of FORMS) {
    pattern.lastIndex = start;
    const match = pattern.exec(state.src);
    if (match === null || pattern.lastIndex > state.posMax) continue;
    const mention = html(match[2] ?? '', match[1] === '_' || rendering.inQuote, rendering, silent);
    if (mention === undefined) continue;
    if (!silent) pushHtml(state, mention);
    state.pos = start + match[0].length;
    return true;
  }
  return false;
}

type Form = (name: string, quiet: boolean, rendering: Rendering, dryRun: boolean) => string | undefined;

const FORMS: readonly (readonly [RegExp, Form])[] = [
  [USER, userOrWildcard],
  [GROUP, group],
];

function userOrWildcard(name: string, quiet: boolean, rendering: Rendering, dryRun: boolean): string | undefined {
  const suffix = quiet ? ' silent' : '';
  const at = quiet ? '' : '@';
  if (CHANNEL_WILDCARDS.has(name)) {
    if (!dryRun && !quiet) rendering.channelWildcard = true;
    const attributes = { class: `user-mention channel-wildcard-mention${suffix}`, 'data-user-id': '*' };
    return `${openTag('span', attributes)}${at}${name}</span>`;
  }
  if (name === 'topic') {
    if (!dryRun && !quiet) rendering.topicWildcard = true;
    return `${openTag('span', { class: `topic-mention${suffix}` })}${at}topic</span>`;
  }
  const user = userCalled(name, rendering);
  if (user === undefined) return undefined;
  if (!dryRun) (quiet ? rendering.silentUsers : rendering.users).add(user.id);
  const attributes = { class: `user-mention${suffix}`, 'data-user-id': String(user.id) };
  return `${openTag('span', attributes)}${at}${escapeText(user.fullName)}</span>`;
}

function userCalled(name: string, { world }: Rendering): { id: number; fullName: string } | undefined {
  const parts = NAME_AND_ID.exec(name);
  if (parts === null) return world.userByName(name);
  const [, fullName = '', id = ''] = parts;
  const user = world.userById(Number(id));
  return user === undefined || (fullName !== '' && fullName !== user.fullName) ? undefined : user;
}

function group(name: string, quiet: boolean, rendering: Rendering, dryRun: boolean): string | undefined {
  const found = rendering.world.groupByName(name);
  if (found === undefined) return undefined;
  const silent = quiet || found.isSystem;
  if (!dryRun) (silent ? rendering.silentGroups : rendering.groups).add(found.id);
  const attributes = { class: `user-group-mention${silent ? ' silent' : ''}`, 'data-user-group-id': String(found.id) };
  return `${openTag('span', attributes)}${silent ? '' : '@'}${escapeText(found.name)}</span>`;
}
