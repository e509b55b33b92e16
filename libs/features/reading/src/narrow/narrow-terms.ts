import { Type, type Static } from 'typebox';
import { badRequest, excerpt, Refusal } from '#kernel';

/** Maximum terms of a narrow: each is tested on every message examined. */
const TERMS_MAX = 100;
/** Maximum values in the list of an operand. */
const OPERANDS_MAX = 1000;
/** Maximum length of a narrow as JSON. */
export const NARROW_LENGTH_MAX = 64 * 1024;

const Operand = Type.Union([Type.String(), Type.Integer(), Type.Array(Type.Union([Type.String(), Type.Integer()]))]);

/** Terms as clients write them: objects, or the older pairs (endpoints.md §3, "Narrow terms"). */
export const NarrowSchema = Type.Array(
  Type.Union([
    Type.Object({ operator: Type.String(), operand: Operand, negated: Type.Optional(Type.Boolean()) }),
    Type.Tuple([Type.String(), Operand]),
  ]),
  { maxItems: TERMS_MAX },
);
export type WireNarrow = Static<typeof NarrowSchema>;

export type NarrowOperand = Static<typeof Operand>;

export interface NarrowTerm {
  readonly operator: NarrowOperator;
  readonly operand: NarrowOperand;
  readonly negated: boolean;
}

const NARROW_OPERATORS = [
  'channel',
  'channels',
  'topic',
  'dm',
  'dm-including',
  'group-pm-with',
  'sender',
  'mentions',
  'id',
  'with',
  'near',
  'in',
  'is',
  'has',
  'search',
] as const;
export type NarrowOperator = (typeof NARROW_OPERATORS)[number];

const ALIASES: Readonly<Record<string, NarrowOperator>> = {
  ...Object.fromEntries(NARROW_OPERATORS.map((operator) => [operator, operator])),
  stream: 'channel',
  streams: 'channels',
  subject: 'topic',
  'pm-with': 'dm',
  pm_with: 'dm',
  'dm-with': 'dm-including',
  group_pm_with: 'group-pm-with',
  from: 'sender',
};

/**
 * `near`, `with` and `in` say where to search, which has no opposite: `negated` has no effect on them (endpoints.md
 * §3).
 */
const NEVER_NEGATED: ReadonlySet<NarrowOperator> = new Set(['near', 'with', 'in']);

const ECHOED_LENGTH_MAX = 60;

/** An operand of an operator that takes one of a few words. */
export function unknownOperand(operator: NarrowOperator, operand: NarrowOperand): Refusal {
  return badNarrow(`unknown '${operator}' operand ${excerpt(String(operand), ECHOED_LENGTH_MAX)}`);
}

/** @param desc the reason, as clients show it */
export function badNarrow(desc: string): Refusal {
  return new Refusal('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc });
}

/**
 * Normalises terms to their newest names. `negated` defaults to false.
 * @throws Refusal BAD_NARROW, and BAD_REQUEST for operands with too long lists
 */
export function narrowTermsOf(wire: WireNarrow): NarrowTerm[] {
  return wire.map((term) => {
    const [name, operand, negated] = Array.isArray(term)
      ? [term[0], term[1], false]
      : [term.operator, term.operand, term.negated === true];
    const operator = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
    if (operator === undefined) throw badNarrow(`unknown operator ${excerpt(name, ECHOED_LENGTH_MAX)}`);
    if (Array.isArray(operand) && operand.length > OPERANDS_MAX)
      throw badRequest(`An operand in narrow has too many items (limit: ${OPERANDS_MAX})`);
    return { operator, operand, negated: negated && !NEVER_NEGATED.has(operator) };
  });
}
