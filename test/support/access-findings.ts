import type { Role } from './access-model.js';
import type { Cell, Viewer } from './access-world.js';
import type { Answer } from './client.js';

/** What a viewer may find: the thing itself; what they would find if there were none; a refusal that tells it from nothing. */
export type Verdict = 'open' | 'hidden' | 'refused';

/** What is expected: several where the specification leaves it open. */
export type Expected = readonly Verdict[];

export const OPEN: Expected = ['open'];
export const HIDDEN: Expected = ['hidden'];
export const REFUSED: Expected = ['refused'];
/** Known to be there, and closed. */
export const CLOSED: Expected = ['hidden', 'refused'];

interface Finding {
  readonly route: string;
  readonly kind: string;
  readonly role: Role;
  readonly history: string;
  readonly expected: string;
  readonly found: string;
}

/** Compares what was found with what was expected, and keeps what differs. */
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

  /** Compares which messages the viewer was given with which they should have been, whosever they are to look at. */
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
      const others = cell.viewer === viewer ? '' : ', the message of somebody else';
      const where = { route, kind: cell.kind.name, role: viewer.role, history: `${viewer.history.name}${others}` };
      this.check(where, verdicts, given.has(cell.id) ? 'open' : 'hidden');
    }
  }

  /** How often each verdict was found, by route. */
  get counts(): ReadonlyMap<string, ReadonlyMap<string, number>> {
    return this.#checked;
  }

  get total(): number {
    let total = 0;
    for (const verdicts of this.#checked.values()) for (const count of verdicts.values()) total += count;
    return total;
  }

  /** What differs since this was asked last, like cells together; '' when all is right. */
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
 * @param answer to a question that names these
 * @param toNothing `neutral` answer to the same about what does not exist
 */
export function verdictOf(answer: Answer, toNothing: string, ...names: (string | number)[]): string {
  if (neutral(answer, ...names) === toNothing) return 'hidden';
  if (answer.status === 200) return 'open';
  return answer.status < 500 ? 'refused' : `${answer.status} ${answer.text}`;
}

/** The answer without what it was asked for, so that answers about different things can be compared. */
export function neutral({ status, text }: Answer, ...names: (string | number)[]): string {
  let body = text;
  for (const name of names) body = body.replaceAll(new RegExp(`(?<!\\w)${String(name)}(?!\\w)`, 'g'), '{asked}');
  return `${status} ${body}`;
}
