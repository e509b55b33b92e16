import type { StateInline } from 'markdown-it';
import { escapeText, openTag } from '../html.js';
import { pushHtml } from '../own-html.js';
import { type Mention, renderingOf } from '../rendering.js';
import type { MentionableUser, RenderWorld } from '../world.js';

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
  for (const [pattern, form] of FORMS) {
    pattern.lastIndex = start;
    const match = pattern.exec(state.src);
    if (match === null || pattern.lastIndex > state.posMax) continue;
    const found = form(match[2] ?? '', match[1] === '_' || rendering.inQuote, rendering.world);
    if (found === undefined) continue;
    // Notifications depend on the final message: the last pass collects them, not this rule.
    if (!silent) pushHtml(state, found.html, match[0]).meta = { mention: found.mention };
    state.pos = start + match[0].length;
    return true;
  }
  return false;
}

interface Found {
  readonly html: string;
  readonly mention: Mention;
}
type Form = (name: string, quiet: boolean, world: RenderWorld) => Found | undefined;

const FORMS: readonly (readonly [RegExp, Form])[] = [
  [USER, userOrWildcard],
  [GROUP, group],
];

function userOrWildcard(name: string, quiet: boolean, world: RenderWorld): Found | undefined {
  return wildcard(name, quiet) ?? user(name, quiet, world);
}

function wildcard(name: string, silent: boolean): Found | undefined {
  const suffix = silent ? ' silent' : '';
  const at = silent ? '' : '@';
  if (CHANNEL_WILDCARDS.has(name)) {
    const attributes = { class: `user-mention channel-wildcard-mention${suffix}`, 'data-user-id': '*' };
    return { html: `${openTag('span', attributes)}${at}${name}</span>`, mention: { kind: 'channel', silent } };
  }
  if (name === 'topic') {
    const html = `${openTag('span', { class: `topic-mention${suffix}` })}${at}topic</span>`;
    return { html, mention: { kind: 'topic', silent } };
  }
  return undefined;
}

function user(name: string, quiet: boolean, world: RenderWorld): Found | undefined {
  const called = userCalled(name, world);
  if (called === undefined) return undefined;
  const silent = quiet || called.isDeactivated === true;
  const attributes = { class: `user-mention${silent ? ' silent' : ''}`, 'data-user-id': String(called.id) };
  const html = `${openTag('span', attributes)}${silent ? '' : '@'}${escapeText(called.fullName)}</span>`;
  return { html, mention: { kind: 'user', id: called.id, silent } };
}

function userCalled(name: string, world: RenderWorld): MentionableUser | undefined {
  const parts = NAME_AND_ID.exec(name);
  if (parts === null) return world.userByName(name);
  const [, fullName = '', id = ''] = parts;
  const user = world.userById(Number(id));
  return user === undefined || (fullName !== '' && !isSameName(fullName, user.fullName)) ? undefined : user;
}

/** Compares names regardless of case and Unicode composition, with and without an ID. */
function isSameName(a: string, b: string): boolean {
  return a === b || a.normalize('NFC').toLowerCase() === b.normalize('NFC').toLowerCase();
}

function group(name: string, quiet: boolean, world: RenderWorld): Found | undefined {
  const found = world.groupByName(name);
  if (found === undefined) return undefined;
  const silent = quiet || found.isSystem;
  const attributes = { class: `user-group-mention${silent ? ' silent' : ''}`, 'data-user-group-id': String(found.id) };
  const html = `${openTag('span', attributes)}${silent ? '' : '@'}${escapeText(found.name)}</span>`;
  return { html, mention: { kind: 'group', id: found.id, silent: quiet } };
}
