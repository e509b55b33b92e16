const TEXT_UNSAFE = /[&<>]/;
const TEXT_REPLACED = /[&<>]/g;
const ATTRIBUTE_UNSAFE = /[&<>"]/;
const ATTRIBUTE_REPLACED = /[&<>"]/g;
const CODE_REPLACED = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const utf8 = new TextEncoder();

/** Length of the text in UTF-8. */
export function byteLength(text: string): number {
  return utf8.encode(text).length;
}

/** Escapes text between tags; quotes stay, as in the reference. */
export function escapeText(text: string): string {
  return TEXT_UNSAFE.test(text) ? text.replace(TEXT_REPLACED, (char) => ENTITIES[char] ?? '') : text;
}

/** Escapes the text of a code block, with its quotes, as in the reference. */
export function escapeCode(code: string): string {
  return code.replace(CODE_REPLACED, (char) => ENTITIES[char] ?? '');
}

/** A line end of the source. */
export const LINE_BREAK = '<br>\n';

/** The source as HTML, for content that cannot be rendered. */
export function sourceHtml(content: string): string {
  return `<p>${escapeText(content).replaceAll('\n', LINE_BREAK)}</p>`;
}

/** Escapes a value for a double-quoted attribute. */
function escapeAttribute(value: string): string {
  return ATTRIBUTE_UNSAFE.test(value) ? value.replace(ATTRIBUTE_REPLACED, (char) => ENTITIES[char] ?? '') : value;
}

/** An opening tag. Attribute values are escaped only here; `undefined` ones are left out. */
export function openTag(name: string, attributes: Readonly<Record<string, string | undefined>>): string {
  let tag = `<${name}`;
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) tag += ` ${key}="${escapeAttribute(value)}"`;
  }
  return `${tag}>`;
}

/**
 * Whether elements nest deeper than `limit`, in well-formed HTML of a library with XML-like empty elements. Clients
 * walk it recursively.
 */
export function isDeeperThan(html: string, limit: number): boolean {
  let depth = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    if (html.charCodeAt(at + 1) === 47) depth--;
    else if (html.charCodeAt(html.indexOf('>', at) - 1) !== 47 && ++depth > limit) return true;
  }
  return false;
}
