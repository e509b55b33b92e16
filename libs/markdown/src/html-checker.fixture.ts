const GLOBAL = ['class', 'title', 'style', 'aria-hidden', 'aria-label', 'role'];
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  p: [],
  br: [],
  hr: [],
  strong: [],
  em: [],
  del: [],
  code: [],
  pre: [],
  blockquote: [],
  ul: [],
  ol: ['start'],
  li: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
  th: [],
  td: [],
  div: ['data-code-language'],
  span: ['data-user-id', 'data-user-group-id'],
  a: ['href', 'data-stream-id'],
  img: ['alt', 'src', 'data-original-src', 'data-original-content-type', 'data-original-dimensions'],
  video: ['preload', 'src'],
  audio: ['controls', 'preload', 'src'],
  time: ['datetime'],
  // What KaTeX writes.
  math: ['xmlns', 'display'],
  svg: ['xmlns', 'width', 'height', 'viewBox', 'preserveAspectRatio'],
  path: ['d'],
  line: ['x1', 'x2', 'y1', 'y2', 'stroke-width'],
};
const MATHML = new Set(
  'semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose mglyph mlabeledtr'.split(
    ' ',
  ),
);
const VOID = new Set(['br', 'hr', 'img', 'path', 'line']);
const ADDRESS = new Set(['href', 'src', 'data-original-src']);
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s[^<>"]*(?:"[^"<>]*"[^<>"]*)*)?)>/y;
const ATTRIBUTE = /\s([a-zA-Z][a-zA-Z0-9:-]*)(?:="([^"]*)")?/y;

/** What is wrong with a piece of HTML by the rules our output must keep, or `undefined`: known tags only, balanced, safe attributes. */
export function htmlProblem(html: string): string | undefined {
  const open: string[] = [];
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf('<', at);
    if (html.slice(at, next < 0 ? undefined : next).includes('>')) return `stray > near ${html.slice(at, at + 40)}`;
    if (next < 0) break;
    TAG.lastIndex = next;
    const match = TAG.exec(html);
    if (match === null) return `no tag: ${html.slice(next, next + 40)}`;
    const [whole, slash, name = '', attributes = ''] = match;
    at = next + whole.length;
    if (slash === '/') {
      const expected = open.pop();
      if (expected !== name) return `</${name}> closes <${expected ?? 'nothing'}>`;
      continue;
    }
    const problem = attributeProblem(name, attributes.replace(/\/$/, ''));
    if (problem !== undefined) return problem;
    if (!VOID.has(name) && !attributes.endsWith('/')) open.push(name);
    else if (html.startsWith(`</${name}>`, at)) open.push(name); // XML-like output of KaTeX
  }
  return open.length === 0 ? undefined : `never closed: ${open.join(' ')}`;
}

function attributeProblem(name: string, attributes: string): string | undefined {
  const isMath = MATHML.has(name);
  const allowed = ALLOWED[name];
  if (allowed === undefined && !isMath) return `element ${name}`;
  let at = 0;
  while (at < attributes.length) {
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(attributes);
    if (match === null) return `attributes of ${name}: ${attributes}`;
    at += match[0].length;
    const [, key = '', value = ''] = match;
    if (/^on/i.test(key)) return `handler ${key}`;
    if (!isMath && allowed?.includes(key) !== true && !GLOBAL.includes(key)) return `attribute ${name}.${key}`;
    if (ADDRESS.has(key) && !/^(?:https?:\/\/|ftp:\/\/|mailto:|tel:|[/#]|$)/.test(value)) return `address ${value}`;
    if (key === 'style' && /url\(|expression|javascript/i.test(value)) return `style ${value}`;
  }
  return undefined;
}
