/**
 * Schemas in the notation of the interface's description: `I` integer, `F` number, `S` text, `B` truth value, `J` anything, `L[x]` list, `M[x]`
 * object of any keys, `T[x,y]` list of just these, `{a x, b? y}` object of which `b` may be missing, `"word"`, `x|y`, `x?` for null as well,
 * and names of other schemas.
 */
export type Shape =
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list' | 'map'; readonly of: Shape }
  | { readonly kind: 'tuple' | 'any'; readonly of: readonly Shape[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Field> };

export interface Field {
  readonly isOptional: boolean;
  readonly shape: Shape;
}

const TOKEN = /\s*("[^"]*"|[A-Za-z_][\w-]*|[[\]{},|?])/y;

/** @throws Error for a text that is not in the notation */
export function parse(text: string): Shape {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; text.slice(at).trim() !== ''; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) throw new Error(`Not in the notation: ${text.slice(at, at + 40)}`);
    tokens.push(token);
  }
  const shape = new Parser(tokens).shape();
  if (tokens.length > 0) throw new Error(`Not in the notation: ${tokens.slice(0, 5).join(' ')}`);
  return shape;
}

class Parser {
  constructor(private readonly tokens: string[]) {}

  shape(): Shape {
    const of = [this.#nullable()];
    while (this.#takes('|')) of.push(this.#nullable());
    return of.length === 1 ? of[0]! : { kind: 'any', of };
  }

  #nullable(): Shape {
    const shape = this.#single();
    return this.#takes('?') ? { kind: 'any', of: [shape, { kind: 'name', name: 'null' }] } : shape;
  }

  #single(): Shape {
    const token = this.tokens.shift() ?? '';
    if (token === '{') return { kind: 'object', fields: new Map(this.#until('}', () => this.#field())) };
    if (token.startsWith('"')) return { kind: 'word', word: token.slice(1, -1) };
    if (!this.#takes('[')) return { kind: 'name', name: token };
    const of = this.#until(']', () => this.shape());
    if (token === 'T') return { kind: 'tuple', of };
    if (of.length !== 1 || (token !== 'L' && token !== 'M')) throw new Error(`Not in the notation: ${token}[`);
    return { kind: token === 'L' ? 'list' : 'map', of: of[0]! };
  }

  #field(): [string, Field] {
    const name = this.tokens.shift() ?? '';
    const isOptional = this.#takes('?');
    return [name, { isOptional, shape: this.shape() }];
  }

  #until<Item>(end: string, item: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.#takes(end)) {
      items.push(item());
      if (this.tokens.length === 0) throw new Error(`Not in the notation: ${end} is missing`);
      this.#takes(',');
    }
    return items;
  }

  #takes(token: string): boolean {
    if (this.tokens[0] !== token) return false;
    this.tokens.shift();
    return true;
  }
}
