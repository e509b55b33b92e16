import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';

/** URL templates of RFC 6570, of any level, for string values: the library validates and expands their expressions. */

const EXPRESSION = /\{[^{}]*\}/g;

/**
 * Characters that RFC 6570 forbids outside of expressions, which the library does not check. Apostrophes are harmless.
 */
const NO_LITERAL = /[\s\p{Cc}"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})/u;

/**
 * Characters that no URL contains. The library keeps some of them where reserved characters are kept: in `{+x}` and
 * `{#x}`.
 */
const NO_URL_CHARACTER = /[^A-Za-z0-9!#$%&'()*+,./:;=?@[\]_~-]/gu;

/** Has no encoding: a match may have split a pair. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** The variables of a template, or `undefined` for an invalid one. */
export function templateVariables(template: string): readonly string[] | undefined {
  if (NO_LITERAL.test(template.replace(EXPRESSION, ''))) return undefined;
  const names: string[] = [];
  const asked = new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        names.push(String(name));
        return '';
      },
    },
  );
  try {
    StdUriTemplate.expand(template, asked);
  } catch {
    return undefined; // Any error means an invalid template; the library's text is for its own users.
  }
  return names;
}

/** Expands a validated template; variables without a value are left out. */
export function expandTemplate(template: string, values: Readonly<Record<string, string | undefined>>): string {
  const wellFormed: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) wellFormed[name] = value.replace(LONE_SURROGATE, '\ufffd');
  }
  return StdUriTemplate.expand(template, wellFormed).replace(NO_URL_CHARACTER, encodeURIComponent);
}
