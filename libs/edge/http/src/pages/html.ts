const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or a quoted attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** A piece of markup. Only `html` makes one, so no text gets into a page without being escaped. */
export class Html {
  /** @internal */
  constructor(readonly markup: string) {}
}

type Value = string | number | Html | readonly Html[] | undefined;

/**
 * Markup from a template. Texts are escaped, for elements and for attributes in quotes; pieces of markup and lists of
 * them are taken as they are, and undefined is nothing.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((markup, part, index) => `${markup}${markupOf(values[index - 1])}${part}`));
}

function markupOf(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.markup;
  return typeof value === 'object' ? value.map(({ markup }) => markup).join('') : escaped(String(value));
}
