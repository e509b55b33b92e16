/** Tests one code point. */
export type CharTest = (char: string) => boolean;
export type Assertion = 'start' | 'end' | 'word-boundary' | 'no-word-boundary';

export type PatternNode =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly branches: readonly PatternNode[] }
  | { readonly kind: 'group'; readonly name: string | undefined; readonly body: PatternNode }
  | {
      readonly kind: 'repeat';
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    };

/** Says what is wrong with a pattern, for the person who wrote it. */
export class PatternError extends Error {}

const PATTERN_LENGTH_LIMIT = 500;
const GROUP_DEPTH_LIMIT = 20;
/** What a match has to remember at each step. */
const NAMED_GROUPS_LIMIT = 20;
const REPEAT_LIMIT = 100;

const COUNT = /\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/y;
const GROUP_NAME = /\((?:\?P?<([A-Za-z_]\w{0,63})>|\?:)/y;
const CLASS = /\[(\^?)(\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*)\]/suy;
const ESCAPED_CLASSES: Readonly<Record<string, RegExp>> = {
  d: /^[0-9]$/,
  D: /^[^0-9]$/su,
  w: /^\w$/,
  W: /^\W$/su,
  s: /^\s$/,
  S: /^\S$/su,
};
const ESCAPED_CHARS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' };

/**
 * Parses the regular expressions of linkifiers: the dialect of RE2 in its usual parts. There are no back references and no look-around,
 * which is what lets `PatternProgram` match in time linear in the text, for every pattern that an administrator writes.
 */
export function parsePattern(source: string): { readonly node: PatternNode; readonly names: readonly string[] } {
  if (source.length > PATTERN_LENGTH_LIMIT)
    throw new PatternError(`Pattern is longer than ${PATTERN_LENGTH_LIMIT} characters`);
  return new PatternParser(source).parse();
}

class PatternParser {
  readonly #names: string[] = [];
  #at = 0;
  #depth = 0;
  #ignoreCase = false;

  constructor(private readonly source: string) {}

  parse(): { node: PatternNode; names: readonly string[] } {
    if (this.source.startsWith('(?i)')) {
      this.#ignoreCase = true;
      this.#at = 4;
    }
    const node = this.#choice();
    if (this.#at < this.source.length) throw new PatternError('Unmatched )');
    return { node, names: this.#names };
  }

  #peek(): string {
    return this.source.charAt(this.#at);
  }

  #choice(): PatternNode {
    const branches = [this.#sequence()];
    while (this.#peek() === '|') {
      this.#at++;
      branches.push(this.#sequence());
    }
    return branches.length === 1 && branches[0] !== undefined ? branches[0] : { kind: 'choice', branches };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.source.length && this.#peek() !== '|' && this.#peek() !== ')')
      parts.push(this.#repeated(this.#atom()));
    return { kind: 'sequence', parts };
  }

  #repeated(body: PatternNode): PatternNode {
    const count = this.#count();
    if (count === undefined) return body;
    const [min, max] = count;
    if (max < min) throw new PatternError('Bad repetition: the maximum is below the minimum');
    if (min > REPEAT_LIMIT || (max !== Infinity && max > REPEAT_LIMIT))
      throw new PatternError(`More than ${REPEAT_LIMIT} repetitions`);
    const greedy = this.#peek() !== '?';
    if (!greedy) this.#at++;
    if (/[*+?]/.test(this.#peek())) throw new PatternError('Repetition of a repetition');
    return { kind: 'repeat', body, min, max, greedy };
  }

  #count(): readonly [number, number] | undefined {
    const simple = ({ '*': [0, Infinity], '+': [1, Infinity], '?': [0, 1] } as const)[this.#peek()];
    if (simple !== undefined) {
      this.#at++;
      return simple;
    }
    const match = this.#match(COUNT);
    if (match === undefined) return undefined;
    const min = Number(match[1]);
    if (match[2] === undefined) return [min, min];
    return [min, match[3] === undefined ? Infinity : Number(match[3])];
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.source);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }

  #atom(): PatternNode {
    const char = this.#peek();
    switch (char) {
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      case '^':
      case '$':
        this.#at++;
        return { kind: 'assert', assertion: char === '^' ? 'start' : 'end' };
      case '.':
        this.#at++;
        return { kind: 'char', test: (other) => other !== '\n' };
      case '*':
      case '+':
      case '?':
        throw new PatternError('Nothing to repeat');
      default:
        return this.#literal(String.fromCodePoint(this.source.codePointAt(this.#at) ?? 0));
    }
  }

  #literal(char: string): PatternNode {
    this.#at += char.length;
    if (!this.#ignoreCase) return { kind: 'char', test: (other) => other === char };
    const lower = char.toLowerCase();
    return { kind: 'char', test: (other) => other.toLowerCase() === lower };
  }

  #group(): PatternNode {
    if (++this.#depth > GROUP_DEPTH_LIMIT) throw new PatternError('Groups are nested too deep');
    const named = this.#match(GROUP_NAME);
    if (named === undefined) {
      if (this.source.startsWith('(?', this.#at))
        throw new PatternError('Unsupported group: look-around and flags are not available');
      this.#at++;
    }
    const name = named?.[1];
    if (name !== undefined) {
      if (this.#names.includes(name)) throw new PatternError(`Group ${name} is defined twice`);
      this.#names.push(name);
      if (this.#names.length > NAMED_GROUPS_LIMIT)
        throw new PatternError(`More than ${NAMED_GROUPS_LIMIT} named groups`);
    }
    const body = this.#choice();
    if (this.#peek() !== ')') throw new PatternError('Missing )');
    this.#at++;
    this.#depth--;
    return { kind: 'group', name, body };
  }

  #class(): PatternNode {
    const match = this.#match(CLASS);
    if (match === undefined) throw new PatternError('Missing ]');
    const members = (match[2] ?? '')
      .replaceAll('[:alnum:]', 'a-zA-Z0-9')
      .replaceAll('[:alpha:]', 'a-zA-Z')
      .replaceAll('[:digit:]', '0-9')
      .replaceAll('[:space:]', String.raw`\s`)
      .replace(/\\([^\w\s\-\]\\^])/gu, '$1')
      .replace(/^\]/, String.raw`\]`)
      .replaceAll('[', String.raw`\[`);
    let pattern: RegExp;
    try {
      pattern = new RegExp(`^[${match[1] ?? ''}${members}]$`, this.#ignoreCase ? 'sui' : 'su');
    } catch {
      throw new PatternError(`Bad character class ${match[0]}`);
    }
    return { kind: 'char', test: (char) => pattern.test(char) };
  }

  #escape(): PatternNode {
    const char = this.source.charAt(this.#at + 1);
    if (char === '') throw new PatternError('Pattern ends in a backslash');
    if (char === 'b' || char === 'B') {
      this.#at += 2;
      return { kind: 'assert', assertion: char === 'b' ? 'word-boundary' : 'no-word-boundary' };
    }
    const known = ESCAPED_CLASSES[char];
    if (known !== undefined) {
      this.#at += 2;
      return { kind: 'char', test: (other) => known.test(other) };
    }
    if (/[0-9A-Za-z]/.test(char) && ESCAPED_CHARS[char] === undefined)
      throw new PatternError(`Unsupported escape \\${char}`);
    this.#at++;
    const literal = this.#literal(char);
    const replaced = ESCAPED_CHARS[char];
    return replaced === undefined ? literal : { kind: 'char', test: (other) => other === replaced };
  }
}
