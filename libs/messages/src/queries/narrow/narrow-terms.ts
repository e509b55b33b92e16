import { Type, type Static } from 'typebox';
import { badRequest, Refusal } from '#kernel';

/** How many terms a narrow may have: each costs a test of every message looked at. */
const TERMS_MAX = 100;
/** How many values an operand may list. */
const OPERANDS_MAX = 1000;
/** Of a narrow as JSON. */
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

/** `near`, `with` and `in` say where to look, which has no opposite: `negated` does nothing to them (endpoints.md §3). */
const NEVER_NEGATED: ReadonlySet<NarrowOperator> = new Set(['near', 'with', 'in']);

/** @param desc what is wrong, as clients show it */
export function badNarrow(desc: string): Refusal {
  return new Refusal('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc });
}

/**
 * The terms by their newest names. `negated` is false of those that it says nothing of.
 * @throws Refusal BAD_NARROW, and BAD_REQUEST for operands that list too much
 */
export function narrowTermsOf(wire: WireNarrow): NarrowTerm[] {
  return wire.map((term) => {
    const [name, operand, negated] = Array.isArray(term)
      ? [term[0], term[1], false]
      : [term.operator, term.operand, term.negated === true];
    const operator = Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
    if (operator === undefined) throw badNarrow(`unknown operator ${name.slice(0, 60)}`);
    if (Array.isArray(operand) && operand.length > OPERANDS_MAX)
      throw badRequest(`An operand in narrow has too many items (limit: ${OPERANDS_MAX})`);
    return { operator, operand, negated: negated && !NEVER_NEGATED.has(operator) };
  });
}
