/** URL templates of RFC 6570 for string values, without the `:n` and `*` modifiers. */

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly named: boolean;
  readonly ifEmpty: string;
  readonly reserved: boolean;
}

const SIMPLE: Operator = { first: '', separator: ',', named: false, ifEmpty: '', reserved: false };
const OPERATORS: Readonly<Record<string, Operator>> = {
  '+': { ...SIMPLE, reserved: true },
  '#': { ...SIMPLE, first: '#', reserved: true },
  '.': { ...SIMPLE, first: '.', separator: '.' },
  '/': { ...SIMPLE, first: '/', separator: '/' },
  ';': { ...SIMPLE, first: ';', separator: ';', named: true },
  '?': { ...SIMPLE, first: '?', separator: '&', named: true, ifEmpty: '=' },
  '&': { ...SIMPLE, first: '&', separator: '&', named: true, ifEmpty: '=' },
};

const EXPRESSION = /\{([+#./;?&]?)([A-Za-z_]\w*(?:,[A-Za-z_]\w*)*)\}/g;

/** What RFC 6570 lets stand nowhere outside of expressions. Apostrophes, which it would have encoded, do no harm. */
const NO_LITERAL = /[\s\p{Cc}"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})/u;

/** The variables of a template, or `undefined` when it is none. */
export function templateVariables(template: string): readonly string[] | undefined {
  if (NO_LITERAL.test(template.replace(EXPRESSION, ''))) return undefined;
  return [...template.matchAll(EXPRESSION)].flatMap((match) => (match[2] ?? '').split(','));
}

/** Fills in a template; variables without a value are left out. */
export function expandTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(EXPRESSION, (_, sign: string, list: string) => {
    const operator = OPERATORS[sign] ?? SIMPLE;
    const parts = list.split(',').flatMap((name) => {
      const value = values[name];
      if (value === undefined) return [];
      const encoded = operator.reserved ? encodeReserved(value) : encodeUnreserved(value);
      return [operator.named ? name + (encoded === '' ? operator.ifEmpty : `=${encoded}`) : encoded];
    });
    return parts.length === 0 ? '' : operator.first + parts.join(operator.separator);
  });
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

function encodeUnreserved(value: string): string {
  return encodeURIComponent(value.replace(LONE_SURROGATE, '\ufffd')).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function encodeReserved(value: string): string {
  return encodeURI(value.replace(LONE_SURROGATE, '\ufffd')).replace(/%5B/g, '[').replace(/%5D/g, ']');
}
