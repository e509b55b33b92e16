import type { MessageLine, Story } from '../export-row.js';
import { pathOfFile } from '../fetch-files.js';
import type { ExportedFile } from '../merge.js';
import { isoTime, type Names } from './names.js';
import { type State, stateOf } from './state.js';

/** Messages on a page: what a browser shows without effort. */
const PAGE = 1000;

const STYLE = `body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
article{border-top:1px solid #ccc;padding:.6em 0}h1{font-size:1.3em}h2{font-size:1em;margin:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3em 0;font:inherit}ol,ul{margin:.3em 0}small{color:#666}
.deleted pre{color:#a00}.former pre{color:#666;text-decoration:line-through}`;

export interface HtmlWorld {
  readonly names: Names;
  readonly files: ReadonlyMap<number, ExportedFile>;
  /** Whether the folder has the content. */
  readonly has: (path: string) => boolean;
}

/** Name of a page, from 1. */
function pageName(number: number): string {
  return number === 1 ? 'report.html' : `report-${number}.html`;
}

/**
 * Writes pages that need nothing else: no script, no style and no picture from elsewhere, and a policy that forbids them.
 * @param write writes one page
 * @returns how many pages there are
 */
export async function writeHtml(
  stories: AsyncIterator<Story>,
  world: HtmlWorld,
  write: (name: string, content: AsyncIterable<string>) => Promise<void>,
): Promise<number> {
  let next = await stories.next();
  let number = 0;
  do {
    number++;
    await write(pageName(number), page());
  } while (next.done !== true);
  return number;

  async function* page(): AsyncGenerator<string, void, void> {
    yield head(number);
    for (let count = 0; count < PAGE && next.done !== true; count++, next = await stories.next())
      yield article(next.value, world);
    const links = [
      ...(number > 1 ? [`<a href="${pageName(number - 1)}">Before</a>`] : []),
      ...(next.done === true ? [] : [`<a href="${pageName(number + 1)}">After</a>`]),
    ];
    yield `<nav>${links.join(' ')}</nav>\n</body></html>\n`;
  }
}

function head(number: number): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer"><title>Messages, page ${number}</title><style>${STYLE}</style></head>
<body><h1>Messages, page ${number}</h1>
`;
}

function article(story: Story, { names, files, has }: HtmlWorld): string {
  const state = stateOf(story);
  const { id, deleted, senderId, sentAt, place, fileIds } = state;
  const attached = fileIds.flatMap((fileId) => {
    const file = files.get(fileId)?.uploaded;
    if (file === undefined) return [];
    const [path, name] = [pathOfFile(file), escaped(file.name ?? '')];
    return has(path)
      ? `<li><a href="${path}" download>${name}</a></li>`
      : `<li>${name} <small>without content</small></li>`;
  });
  return `<article id="m${id}"${deleted === undefined ? '' : ' class="deleted"'}>
<h2>${bidi(names.user(senderId))} <small>${isoTime(sentAt)} ${bidi(names.place(place))} (${id})</small></h2>
<ol>${story.lines.map((line) => item(line, state, names)).join('')}</ol>
${attached.length === 0 ? '' : `<ul>${attached.join('')}</ul>\n`}</article>
`;
}

function item(line: MessageLine, { versions }: State, names: Names): string {
  const { type, at, actor, content, emoji_name: emoji, from, to, deleted_with: how } = line;
  const who = actor.user_id === undefined ? escaped(actor.kind) : bidi(names.user(actor.user_id));
  const more = [
    ...(emoji === undefined ? [] : [escaped(emoji)]),
    ...(from === undefined || to === undefined ? [] : [`${bidi(names.place(from))} → ${bidi(names.place(to))}`]),
    ...(how === undefined ? [] : [`with ${escaped(how)}`]),
  ].join(' ');
  const isFormer = versions.includes(line) && line !== versions.at(-1);
  const text = content === undefined ? '' : `<pre dir="auto">${escaped(content)}</pre>`;
  return `<li${isFormer ? ' class="former"' : ''}><small>${isoTime(at)} ${escaped(type)} ${who} ${more}</small>${text}</li>`;
}

/** A name of people, whose direction of writing does not reach what follows. */
function bidi(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is nothing but text, in elements and in attributes. Control characters are shown as such. */
export function escaped(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')
    .replaceAll(/\p{Cc}/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : '\ufffd'));
}
