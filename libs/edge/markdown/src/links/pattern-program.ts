import { type Assertion, type CharTest, parsePattern, PatternError, type PatternNode } from './pattern-syntax.js';

type Instruction =
  | { readonly op: 'char'; readonly test: CharTest }
  | { readonly op: 'assert'; readonly assertion: Assertion }
  | { readonly op: 'save'; readonly slot: number }
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { readonly op: 'match' };

/** Each character of the text is looked at by every instruction once at most, so this bounds the cost of a character. */
const INSTRUCTIONS_LIMIT = 1_000;
/** Repeating what consumes nothing emits nothing either, so the work of compiling is bounded on its own. */
const COMPILE_STEPS_LIMIT = 10_000;
/** In code points. A pattern that could go on for ever (`a.*b|a`) would read the rest of the text again behind each of its matches. */
const MATCH_LENGTH_LIMIT = 500;

/** Remaining cost of matching, in instructions and examined places: no match is found once it is spent. */
export class StepBudget {
  constructor(public left: number) {}

  get isSpent(): boolean {
    return this.left < 0;
  }
}

interface Thread {
  readonly pc: number;
  /** Start and end of the whole match, then of each named group. */
  readonly slots: readonly number[];
}

export interface PatternMatch {
  /** In code points. */
  readonly start: number;
  readonly end: number;
  readonly groups: Readonly<Record<string, string>>;
}

/** Where a match may begin and end, beyond what the pattern says. */
export interface Boundaries {
  mayBegin(before: string | undefined): boolean;
  mayEnd(after: string | undefined): boolean;
}

/**
 * A pattern compiled for a machine that follows all alternatives at once (Thompson's construction with captures, after Pike): matching
 * takes time proportional to text × program, with no input that makes it slow. What all of it together may take is a budget's to say.
 */
export class PatternProgram {
  readonly names: readonly string[];
  readonly #code: Instruction[] = [];
  /** Tests of the first character of a non-empty match: most positions of a text fail them, and cost nothing else. */
  readonly #firsts: readonly CharTest[];
  #steps = 0;

  /** Throws `PatternError` for what is no valid pattern. */
  constructor(source: string) {
    const { node, names } = parsePattern(source);
    this.names = names;
    this.#emit({ op: 'save', slot: 0 });
    this.#compile(node);
    this.#emit({ op: 'save', slot: 1 });
    this.#emit({ op: 'match' });
    this.#firsts = this.#firstTests();
  }

  /**
   * The first match at or behind `from`, preferring the earlier alternative and the greedy repetition; never an empty one, and none
   * that takes more than the budget.
   */
  find(text: readonly string[], from: number, boundaries: Boundaries, budget: StepBudget): PatternMatch | undefined {
    let threads: Thread[] = [];
    let found: Thread | undefined;
    for (let at = from; at <= text.length; at++) {
      if (--budget.left < 0) return undefined;
      const begins = found === undefined && boundaries.mayBegin(text[at - 1]) && this.#mayBeginWith(text[at], budget);
      if (threads.length === 0 && !begins) {
        if (found !== undefined) break;
        continue;
      }
      const seen = new Uint8Array(this.#code.length);
      const ready: Thread[] = [];
      for (const { pc, slots } of threads) this.#follow({ pc, slots }, text, at, seen, ready, budget);
      if (begins) this.#follow({ pc: 0, slots: [] }, text, at, seen, ready, budget);
      threads = [];
      for (const thread of ready) {
        const instruction = this.#code[thread.pc];
        if (instruction?.op === 'match') {
          if (thread.slots[0] === at || !boundaries.mayEnd(text[at])) continue;
          found = thread;
          break; // what follows has lower priority
        }
        const char = text[at];
        const isOver = at - (thread.slots[0] ?? at) >= MATCH_LENGTH_LIMIT;
        if (char !== undefined && !isOver && instruction?.op === 'char' && instruction.test(char)) {
          threads.push({ pc: thread.pc + 1, slots: thread.slots });
        }
      }
    }
    return found === undefined ? undefined : this.#matchOf(found, text);
  }

  #matchOf({ slots }: Thread, text: readonly string[]): PatternMatch {
    const groups: Record<string, string> = {};
    this.names.forEach((name, index) => {
      const [start, end] = [slots[2 + 2 * index], slots[3 + 2 * index]];
      if (start !== undefined && end !== undefined) groups[name] = text.slice(start, end).join('');
    });
    return { start: slots[0] ?? 0, end: slots[1] ?? 0, groups };
  }

  #mayBeginWith(char: string | undefined, budget: StepBudget): boolean {
    if (char === undefined) return false;
    for (const test of this.#firsts) {
      budget.left--;
      if (test(char)) return true;
    }
    return false;
  }

  #firstTests(): CharTest[] {
    const tests: CharTest[] = [];
    const seen = new Set<number>();
    const pending = [0];
    for (let pc = pending.pop(); pc !== undefined; pc = pending.pop()) {
      const instruction = this.#code[pc];
      if (instruction === undefined || seen.has(pc)) continue;
      seen.add(pc);
      if (instruction.op === 'char') tests.push(instruction.test);
      else if (instruction.op === 'jump') pending.push(instruction.to);
      else if (instruction.op === 'split') pending.push(instruction.first, instruction.second);
      else if (instruction.op !== 'match') pending.push(pc + 1);
    }
    return tests;
  }

  /** Follows a thread through everything that consumes nothing, to the instructions that wait for a character. */
  #follow(
    start: Thread,
    text: readonly string[],
    at: number,
    seen: Uint8Array,
    ready: Thread[],
    budget: StepBudget,
  ): void {
    const pending: Thread[] = [start];
    for (let thread = pending.pop(); thread !== undefined; thread = pending.pop()) {
      budget.left--;
      const { pc, slots } = thread;
      const instruction = this.#code[pc];
      if (instruction === undefined || seen[pc] === 1) continue;
      seen[pc] = 1;
      switch (instruction.op) {
        case 'jump':
          pending.push({ pc: instruction.to, slots });
          break;
        case 'split':
          pending.push({ pc: instruction.second, slots }, { pc: instruction.first, slots });
          break;
        case 'save': {
          const saved = slots.slice();
          saved[instruction.slot] = at;
          pending.push({ pc: pc + 1, slots: saved });
          break;
        }
        case 'assert':
          if (holds(instruction.assertion, text, at)) pending.push({ pc: pc + 1, slots });
          break;
        case 'char':
        case 'match':
          ready.push(thread);
      }
    }
  }

  #emit<I extends Instruction>(instruction: I): I {
    if (this.#code.length >= INSTRUCTIONS_LIMIT) throw new PatternError('Pattern is too large');
    this.#code.push(instruction);
    return instruction;
  }

  #compile(node: PatternNode): void {
    if (++this.#steps > COMPILE_STEPS_LIMIT) throw new PatternError('Pattern is too large');
    switch (node.kind) {
      case 'char':
        this.#emit({ op: 'char', test: node.test });
        break;
      case 'assert':
        this.#emit({ op: 'assert', assertion: node.assertion });
        break;
      case 'sequence':
        for (const part of node.parts) this.#compile(part);
        break;
      case 'group':
        this.#compileGroup(node.name, node.body);
        break;
      case 'choice':
        this.#compileChoice(node.branches);
        break;
      case 'repeat':
        for (let count = 0; count < node.min; count++) this.#compile(node.body);
        if (node.max === Infinity) this.#compileLoop(node.body, node.greedy);
        else for (let count = node.min; count < node.max; count++) this.#compileOptional(node.body, node.greedy);
    }
  }

  #compileGroup(name: string | undefined, body: PatternNode): void {
    const slot = name === undefined ? -1 : 2 + 2 * this.names.indexOf(name);
    if (slot >= 0) this.#emit({ op: 'save', slot });
    this.#compile(body);
    if (slot >= 0) this.#emit({ op: 'save', slot: slot + 1 });
  }

  #compileChoice(branches: readonly PatternNode[]): void {
    const ends: { to: number }[] = [];
    branches.forEach((branch, index) => {
      const split =
        index < branches.length - 1 ? this.#emit({ op: 'split', first: this.#code.length + 1, second: 0 }) : undefined;
      this.#compile(branch);
      if (split === undefined) return;
      ends.push(this.#emit({ op: 'jump', to: 0 }));
      split.second = this.#code.length;
    });
    for (const end of ends) end.to = this.#code.length;
  }

  #compileLoop(body: PatternNode, greedy: boolean): void {
    const start = this.#code.length;
    const split = this.#emit({ op: 'split', first: 0, second: 0 });
    this.#compile(body);
    this.#emit({ op: 'jump', to: start });
    this.#aim(split, start + 1, greedy);
  }

  #compileOptional(body: PatternNode, greedy: boolean): void {
    const start = this.#code.length;
    const split = this.#emit({ op: 'split', first: 0, second: 0 });
    this.#compile(body);
    this.#aim(split, start + 1, greedy);
  }

  #aim(split: { first: number; second: number }, inside: number, greedy: boolean): void {
    split.first = greedy ? inside : this.#code.length;
    split.second = greedy ? this.#code.length : inside;
  }
}

function holds(assertion: Assertion, text: readonly string[], at: number): boolean {
  switch (assertion) {
    case 'start':
      return at === 0;
    case 'end':
      return at === text.length;
    case 'word-boundary':
      return isWord(text[at - 1]) !== isWord(text[at]);
    case 'no-word-boundary':
      return isWord(text[at - 1]) === isWord(text[at]);
  }
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /^\w$/.test(char);
}
