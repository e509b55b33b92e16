import type { Role } from './model.js';
import type { Cell, Viewer } from './world.js';
import type { Answer } from '../client.js';

/**
 * Result for a viewer: the object itself; the same as for a missing one; or a refusal that distinguishes it from a
 * missing one.
 */
export type Verdict = 'open' | 'hidden' | 'refused';

/** Expected results: several where the interface leaves it open. */
export type Expected = readonly Verdict[];

export const OPEN: Expected = ['open'];
export const HIDDEN: Expected = ['hidden'];
export const REFUSED: Expected = ['refused'];
/** Known to exist, but closed. */
export const CLOSED: Expected = ['hidden', 'refused'];

interface Finding {
  readonly route: string;
  readonly kind: string;
  readonly role: Role;
  readonly history: string;
  readonly expected: string;
  readonly found: string;
}

/** Compares results with expectations, and collects the differences. */
export class Findings {
  readonly #checked = new Map<string, Map<string, number>>();
  readonly #wrong: Finding[] = [];

  check(where: Omit<Finding, 'expected' | 'found'>, expected: Expected, found: string): void {
    const verdicts = this.#checked.get(where.route) ?? new Map<string, number>();
    this.#checked.set(where.route, verdicts);
    verdicts.set(found, (verdicts.get(found) ?? 0) + 1);
    if (!expected.some((verdict) => verdict === found))
      this.#wrong.push({ ...where, expected: expected.join(' or '), found });
  }

  /** Compares the messages that the viewer received with the expected ones, whichever viewer they were made for. */
  checkMessages(
    route: string,
    viewer: Viewer,
    cells: readonly Cell[],
    ids: readonly number[],
    expect: (cell: Cell) => boolean | Expected,
  ): void {
    const given = new Set(ids);
    for (const cell of cells) {
      const expected = expect(cell);
      const verdicts = typeof expected === 'boolean' ? (expected ? OPEN : HIDDEN) : expected;
      const others = cell.viewer === viewer ? '' : ', the message of another user';
      const where = { route, kind: cell.kind.name, role: viewer.role, history: `${viewer.history.name}${others}` };
      this.check(where, verdicts, given.has(cell.id) ? 'open' : 'hidden');
    }
  }

  /** Number of each result, by route. */
  get counts(): ReadonlyMap<string, ReadonlyMap<string, number>> {
    return this.#checked;
  }

  get total(): number {
    let total = 0;
    for (const verdicts of this.#checked.values()) for (const count of verdicts.values()) total += count;
    return total;
  }

  /** Differences since the last call, with equal cells merged; '' without any. */
  takeTable(): string {
    const rows = new Map<string, Set<Role>>();
    for (const { role, ...finding } of this.#wrong.splice(0)) {
      const { route, kind, history, expected, found } = finding;
      const row = [route, kind, history, `expected ${expected}`, `found ${found}`].join(' | ');
      rows.set(row, (rows.get(row) ?? new Set()).add(role));
    }
    return Array.from(rows, ([row, roles]) => `${row} | ${[...roles].join(', ')}`).join('\n');
  }
}

/**
 * @param answer to a request that names these
 * @param toNothing the `neutral` answer to the same request about a missing object
 */
export function verdictOf(answer: Answer, toNothing: string, ...names: (string | number)[]): string {
  if (neutral(answer, ...names) === toNothing) return 'hidden';
  if (answer.status === 200) return 'open';
  return answer.status < 500 ? 'refused' : `${answer.status} ${answer.text}`;
}

/** The answer without the names in its request, so that answers about different objects can be compared. */
export function neutral({ status, text }: Answer, ...names: (string | number)[]): string {
  let body = text;
  for (const name of names) body = body.replaceAll(new RegExp(`(?<!\\w)${String(name)}(?!\\w)`, 'g'), '{asked}');
  return `${status} ${body}`;
}
