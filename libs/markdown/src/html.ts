const TEXT_UNSAFE = /[&<>]/;
const TEXT_REPLACED = /[&<>]/g;
const ATTRIBUTE_UNSAFE = /[&<>"]/;
const ATTRIBUTE_REPLACED = /[&<>"]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text between tags; quotes stay as they are, as the reference writes them. */
export function escapeText(text: string): string {
  return TEXT_UNSAFE.test(text) ? text.replace(TEXT_REPLACED, (char) => ENTITIES[char] ?? '') : text;
}

/** What is shown where content cannot be rendered: its source. */
export function sourceHtml(content: string): string {
  return `<p>${escapeText(content).replaceAll('\n', '<br>\n')}</p>`;
}

/** A value for a double-quoted attribute. */
function escapeAttribute(value: string): string {
  return ATTRIBUTE_UNSAFE.test(value) ? value.replace(ATTRIBUTE_REPLACED, (char) => ENTITIES[char] ?? '') : value;
}

/** An opening tag. Attribute values are escaped here and nowhere else; `undefined` ones are left out. */
export function openTag(name: string, attributes: Readonly<Record<string, string | undefined>>): string {
  let tag = `<${name}`;
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) tag += ` ${key}="${escapeAttribute(value)}"`;
  }
  return `${tag}>`;
}

/**
 * Whether elements stand deeper inside each other than `limit`: for HTML that a library wrote, well-formed with XML-like empty elements.
 * Clients walk what they are sent recursively.
 */
export function isDeeperThan(html: string, limit: number): boolean {
  let depth = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    if (html.charCodeAt(at + 1) === 47) depth--;
    else if (html.charCodeAt(html.indexOf('>', at) - 1) !== 47 && ++depth > limit) return true;
  }
  return false;
}
