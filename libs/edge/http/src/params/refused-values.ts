import { badRequest, type Refusal } from '#kernel';
import type { Constraint, PropertyConstraints } from '#validation';
import { CompiledShape } from './shapes.js';

/**
 * Locating an error in JSON walks the whole value and costs far more than detecting it, so only short texts are
 * explained.
 */
const EXPLAINED_LENGTH_MAX = 16 * 1024;

const UNEXPLAINED = ' does not have the expected form';

type Words = (limit: unknown) => string;

/** Text of a refused value, by the name of the violated constraint. */
const WORDS: Readonly<Record<string, Words>> = {
  min: (limit) => ` is too small (limit: ${String(limit)})`,
  max: (limit) => ` is too large (limit: ${String(limit)})`,
  minCharacters: (limit) => (limit === 1 ? ' cannot be empty' : ` is too short (limit: ${String(limit)} characters)`),
  maxCharacters: (limit) => ` is too long (limit: ${String(limit)} characters)`,
  arrayMaxSize: (limit) => ` has too many items (limit: ${String(limit)})`,
};

/** Text of a refused value in JSON and in lists. */
const JSON_WORDS: Readonly<Record<string, Words>> = {
  isArray: () => ' must be array',
  isInt: () => ' must be integer',
  isString: () => ' must be string',
};
const ITEM_WORDS: Readonly<Record<string, Words>> = {
  ...JSON_WORDS,
  min: (limit) => ` must be >= ${String(limit)}`,
  maxCharacters: (limit) => ` must not have more than ${String(limit)} characters`,
};

/** A parameter whose value violates a constraint. */
export interface BrokenParameter {
  readonly name: string;
  readonly raw: string;
  readonly value: unknown;
  readonly constraint: Constraint;
  readonly constraints: PropertyConstraints;
  readonly params: object;
}

/** The refusal `BAD_REQUEST` that names the parameter and the error. */
export function refusedValue(broken: BrokenParameter): Refusal {
  const { name, value, constraint, params } = broken;
  const [limit] = constraint.limits;
  if (constraint.name === 'isIn')
    return badRequest(`Invalid ${name}. It must be one of: ${(limit as readonly unknown[]).join(', ')}`);
  const words = wordsFor(broken, limit);
  return badRequest(words === undefined ? constraint.describe(name, value, params) : `${name}${words}`);
}

function wordsFor(broken: BrokenParameter, limit: unknown): string | undefined {
  const { raw, value, constraint } = broken;
  const isShort = raw.length <= EXPLAINED_LENGTH_MAX;
  if (limit instanceof CompiledShape) return misshapen(limit, value, isShort);
  if (constraint.each && Array.isArray(value)) return isShort ? firstBadItem(broken, value) : UNEXPLAINED;
  const inJson = JSON_WORDS[constraint.name];
  if (inJson !== undefined) return isShort ? inJson(limit) : UNEXPLAINED;
  return WORDS[constraint.name]?.(limit);
}

function misshapen(shape: CompiledShape, value: unknown, isShort: boolean): string {
  const { itemsMax } = shape;
  if (itemsMax !== undefined && Array.isArray(value) && value.length > itemsMax)
    return ` has too many items (limit: ${itemsMax})`;
  return isShort ? shape.explain(value) : UNEXPLAINED;
}

/** Of all constraints on the items of a list, the one that the first invalid item violates. */
function firstBadItem({ constraints, params }: BrokenParameter, items: readonly unknown[]): string {
  const ofItems = constraints.constraints.filter(({ each }) => each);
  for (const [place, item] of items.entries()) {
    const broken = ofItems.find((constraint) => !constraint.accepts(item, params));
    if (broken === undefined) continue;
    const words = ITEM_WORDS[broken.name];
    return words === undefined ? broken.describe(`[${place}]`, item, params) : `[${place}]${words(broken.limits[0])}`;
  }
  return UNEXPLAINED;
}
