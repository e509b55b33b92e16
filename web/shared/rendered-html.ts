/** Writes HTML that the server has rendered, the only HTML that this page writes. */
import { dayAndTimeOf, onClock } from './time.js';

/** The part of the Trusted Types API that is used; TypeScript's library does not have it yet. */
interface Rules {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: Rules): Rules;
}

/** Named in the content security policy, which lets no other policy make HTML. */
const POLICY_NAME = 'scrollback-rendered';
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
const WORKER_PATH = '/sw.js';
/** The server's HTML is clean by construction. */
const policy = trustedTypes?.createPolicy(POLICY_NAME, {
  createHTML: (html) => html,
  createScriptURL: (url) => {
    if (url !== WORKER_PATH) throw new Error('No other script is loaded by its address.');
    return url;
  },
});

/** Address of the service worker, which the content security policy lets nobody else make. */
export const workerAddress = (): string => policy?.createScriptURL(WORKER_PATH) ?? WORKER_PATH;

/** A long message has thousands of nodes, so the characters count as well. */
const [KEPT_MAX, KEPT_LENGTH_MAX] = [500, 1_000_000];
const kept = new Map<string, DocumentFragment>();
let keptLength = 0;
onClock(() => {
  kept.clear();
  keptLength = 0;
});

/** A copy of the nodes of rendered content, made ready for this page. */
export function nodesOf(html: string): DocumentFragment {
  const known = kept.get(html);
  const fragment = known ?? prepared(html);
  kept.delete(html);
  kept.set(html, fragment);
  if (known === undefined) keptLength += html.length;
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_MAX && keptLength <= KEPT_LENGTH_MAX) break;
    kept.delete(oldest);
    keptLength -= oldest.length;
  }
  return fragment.cloneNode(true) as DocumentFragment;
}

/** Text of rendered content, for previews in one line. */
export function textOf(html: string): string {
  const nodes = nodesOf(html);
  // A formula is there for the eye and for the ear; as text it is what was typed.
  for (const formula of nodes.querySelectorAll('.katex'))
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? '');
  return nodes.textContent.replaceAll(/\s+/g, ' ').trim();
}

function prepared(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = policy?.createHTML(html) ?? html;
  const { content } = template;
  for (const emoji of content.querySelectorAll<HTMLElement>('span.emoji')) drawEmoji(emoji);
  for (const link of content.querySelectorAll('a')) openOutside(link);
  for (const time of content.querySelectorAll('time')) tellTime(time);
  for (const block of content.querySelectorAll<HTMLElement>('.spoiler-block')) fold(block);
  for (const picture of content.querySelectorAll('img')) picture.loading = 'lazy';
  for (const code of content.querySelectorAll<HTMLElement>('.codehilite pre, pre')) code.tabIndex = -1;
  return content;
}

/** `<span class="emoji emoji-1f389">:tada:</span>` becomes the character, whose name stays in the title. */
function drawEmoji(emoji: HTMLElement): void {
  const code = [...emoji.classList].map((name) => /^emoji-([0-9a-f-]+)$/.exec(name)?.[1]).find(Boolean);
  if (code === undefined) return;
  emoji.title = emoji.title === '' ? emoji.textContent : emoji.title;
  emoji.textContent = characterOf(code);
}

/** Characters that are text unless a variation selector follows. */
const TEXT_BY_ITSELF = /(?!\p{Emoji_Presentation})\p{Emoji}(?!\ufe0f|\p{Emoji_Modifier})/gu;

/** @param code hexadecimal code points, joined by hyphens */
export function characterOf(code: string): string {
  const points = code.split('-').map((point) => Number.parseInt(point, 16));
  if (!points.every((point) => point <= 0x10ffff)) return '\u{fffd}';
  return String.fromCodePoint(...points).replaceAll(TEXT_BY_ITSELF, '$&\ufe0f');
}

function openOutside(link: HTMLAnchorElement): void {
  const { href } = link;
  if (!URL.canParse(href)) return;
  const { origin, pathname } = new URL(href);
  if (origin === location.origin && pathname === '/') return;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
}

function tellTime(time: HTMLTimeElement): void {
  const atMs = new Date(time.dateTime).getTime();
  if (!Number.isNaN(atMs)) time.textContent = dayAndTimeOf(atMs / 1000);
}

function fold(block: HTMLElement): void {
  const [header, content] = [block.querySelector('.spoiler-header'), block.querySelector('.spoiler-content')];
  if (header === null || content === null) return;
  const [details, summary] = [document.createElement('details'), document.createElement('summary')];
  details.className = 'spoiler-block';
  summary.append(...header.childNodes);
  if (summary.textContent.trim() === '') summary.textContent = 'Spoiler';
  details.append(summary, ...content.childNodes);
  block.replaceWith(details);
}
