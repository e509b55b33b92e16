import { parseFragment, type DefaultTreeAdapterMap } from 'parse5';

type Node = DefaultTreeAdapterMap['node'];
type Element = DefaultTreeAdapterMap['element'];

/** Allowed elements with their attributes, beyond those in `GLOBAL`. */
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
  th: ['style'],
  td: ['style'],
  div: ['data-code-language', 'aria-hidden'],
  span: ['data-user-id', 'data-user-group-id', 'aria-label', 'role', 'title', 'aria-hidden', 'style'],
  a: ['href', 'data-stream-id', 'data-id', 'title'],
  img: [
    ...['alt', 'src', 'title'],
    ...['data-original-src', 'data-original-content-type', 'data-original-dimensions', 'data-animated'],
  ],
  video: ['preload', 'src'],
  audio: ['controls', 'preload', 'src', 'title'],
  time: ['datetime'],
};
/** Elements of KaTeX, allowed only inside its output. */
const FORMULA: Readonly<Record<string, readonly string[]>> = {
  svg: ['xmlns', 'width', 'height', 'viewBox', 'preserveAspectRatio', 'style'],
  path: ['d'],
  line: ['x1', 'x2', 'y1', 'y2', 'stroke-width'],
  math: ['xmlns', 'display'],
};
const MATHML = new Set(
  'semantics annotation mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle mpadded mphantom menclose mglyph mlabeledtr'.split(
    ' ',
  ),
);
const VOID = new Set(['br', 'hr', 'img']);
const ADDRESS = new Set(['href', 'src', 'data-original-src', 'xlink:href']);
const SAFE_ADDRESS =
  /^(?:https?:\/\/|ftp:\/\/|(?:mailto|tel|sms|xmpp|ircs?|matrix|git|ssh|news|bitcoin|geo|zoommtg):|[/#](?![/\\])|$)/;
const SAFE_STYLE = /^(?:[a-z-]+:\s?[-#a-z0-9., %]+;)*$/i;
const CLASSES = /^[\w-]+(?: [\w-]+)*$/;
/** The parser does not accept them; browsers replace them in any case. */
const LONE_SURROGATE = /\p{Surrogate}/gu;
const TAG = /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s[^<>"]*(?:"[^"<>]*"[^<>"]*)*)?)>/y;

/**
 * Finds a violation of the rules for this library's HTML, or returns `undefined`. Two parsers must agree: a strict one
 * for which everything is balanced and escaped, and a browser's parser, in whose tree each element and attribute is
 * looked up.
 */
export function htmlProblem(html: string): string | undefined {
  const written: string[] = [];
  const problem = outlineOf(html, written);
  if (problem !== undefined) return problem;
  const seen: string[] = [];
  for (const node of parseFragment(html.replace(LONE_SURROGATE, '\ufffd')).childNodes) {
    const found = nodeProblem(node, 0, false, seen);
    if (found !== undefined) return found;
  }
  const at = written.findIndex((line, index) => line !== seen[index]);
  if (at >= 0 || written.length !== seen.length) {
    return `a browser sees ${seen[at] ?? 'nothing'} for ${written[at] ?? 'nothing'}`;
  }
  return undefined;
}

/** Collects `depth name` of each element; returns what is not well-formed. */
function outlineOf(html: string, outline: string[]): string | undefined {
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
    outline.push(`${open.length} ${name}`);
    if (!VOID.has(name) && !attributes.endsWith('/')) open.push(name);
  }
  return open.length === 0 ? undefined : `never closed: ${open.join(' ')}`;
}

function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

function nodeProblem(node: Node, depth: number, inFormula: boolean, outline: string[]): string | undefined {
  if (node.nodeName === '#text') return undefined;
  if (!isElement(node)) return `a ${node.nodeName}`;
  outline.push(`${depth} ${node.tagName}`);
  const problem = elementProblem(node, inFormula);
  if (problem !== undefined) return problem;
  const isFormula = inFormula || node.attrs.some(({ name, value }) => name === 'class' && /^katex\b/.test(value));
  for (const child of node.childNodes) {
    const found = nodeProblem(child, depth + 1, isFormula, outline);
    if (found !== undefined) return found;
  }
  return undefined;
}

function elementProblem({ tagName, attrs }: Element, inFormula: boolean): string | undefined {
  const isMath = inFormula && MATHML.has(tagName);
  const allowed = ALLOWED[tagName] ?? (inFormula ? FORMULA[tagName] : undefined);
  if (allowed === undefined && !isMath) return `element ${tagName}`;
  for (const { name, value } of attrs) {
    if (/^on|^form|^srcdoc/i.test(name)) return `handler ${tagName}.${name}`;
    if (name === 'class' && !CLASSES.test(value)) return `class ${value}`;
    if (!isMath && name !== 'class' && allowed?.includes(name) !== true) return `attribute ${tagName}.${name}`;
    if (ADDRESS.has(name) && !SAFE_ADDRESS.test(value)) return `address ${value}`;
    if (name === 'style' && !SAFE_STYLE.test(value)) return `style ${value}`;
    if (name === 'style' && tagName === 'span' && !inFormula) return `style of ${tagName}`;
  }
  return undefined;
}

/** Nesting depth of elements. */
export function depthOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, slash, name = '', rest = ''] of html.matchAll(/<(\/?)([a-z0-9]+)([^>]*)>/g)) {
    if (VOID.has(name) || rest.endsWith('/')) continue;
    depth += slash === '/' ? -1 : 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
