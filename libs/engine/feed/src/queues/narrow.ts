import { badRequest } from '#kernel';
import type { Directory } from '#people';
import { userByAddress, type User } from '#users/model';

/** One condition of a queue's narrow, as clients write it. */
export type NarrowTerm =
  | readonly [operator: string, operand: string | number]
  | { readonly operator: string; readonly operand: string | number; readonly negated?: boolean };

/** Condition on message events of a queue; with `true`, events must not meet it. */
export type Condition =
  readonly [operator: string, operand: string] | readonly [operator: string, operand: string, isNegated: true];

const OPERATORS: Readonly<Record<string, string>> = {
  channel: 'channel',
  stream: 'channel',
  topic: 'topic',
  sender: 'sender',
  is: 'is',
};

const IS_OPERANDS: Readonly<Record<string, string>> = {
  dm: 'dm',
  private: 'dm',
  starred: 'starred',
  unread: 'unread',
  mentioned: 'mentioned',
  alerted: 'mentioned',
  resolved: 'resolved',
};

/**
 * Normalises the conditions on message events of a queue: `channel` by name, `topic`, `sender` by ID, `is`
 * (endpoints.md, after "Narrow terms"). An unknown operand of `is` is no condition (rules.md §14).
 * @throws Refusal BAD_REQUEST that names an unsupported condition
 */
export function queueNarrow(terms: readonly NarrowTerm[], directory: Directory, viewer: User): readonly Condition[] {
  return terms.flatMap((term): Condition[] => {
    const [operator, operand] = 'operator' in term ? [term.operator, term.operand] : term;
    const known = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    if (known === undefined) throw badRequest(`Operator ${operator} not supported.`);
    const wanted = operandOf(known, operand, directory, viewer);
    if (wanted === undefined) return [];
    return ['operator' in term && term.negated === true ? [known, wanted, true] : [known, wanted]];
  });
}

function operandOf(operator: string, operand: string | number, directory: Directory, viewer: User): string | undefined {
  switch (operator) {
    case 'is': {
      const name = String(operand);
      return Object.hasOwn(IS_OPERANDS, name) ? IS_OPERANDS[name] : undefined;
    }
    case 'channel':
      return typeof operand === 'number' ? (directory.channel(operand)?.name ?? '') : operand;
    case 'sender':
      return String(
        typeof operand === 'number' ? operand : (userByAddress(directory, viewer, operand)?.userId ?? operand),
      );
    default:
      return String(operand);
  }
}
