import { Refusal } from '#kernel';
import { brokenConstraint, constraintsOf, type PropertyConstraints, ValidateIf } from '#validation';
import { NULLS, type RawParams } from './raw-params.js';
import { refusedValue } from './refused-values.js';
import type { WireType } from './wire-types.js';

export interface ParamOptions<T> {
  /** Name on the wire, when it differs from the property's. */
  readonly name?: string;
  /** Other names for the same parameter. Two of them in one request are `REQUEST_CONFUSING_VAR`. */
  readonly aliases?: readonly string[];
  /** May be absent, which reads as `undefined`. */
  readonly optional?: boolean;
  /** May be absent, which reads as this value. */
  readonly default?: T;
  /** For the OpenAPI document. */
  readonly description?: string;
}

/** A class whose properties are declared by `@Param`. */
export type ParamsClass<T extends object = object> = new () => T;

/** One declared parameter. */
interface Declared {
  readonly key: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly required: boolean;
  readonly type: WireType<unknown>;
  readonly description: string | undefined;
  readonly makeDefault: () => unknown;
  readonly defaultText: string | undefined;
}

/** A declared parameter with the constraints on its value. */
export interface Field extends Declared {
  readonly constraints: PropertyConstraints;
}

const UNCONSTRAINED: PropertyConstraints = { conditions: [], constraints: [] };

const declared = new WeakMap<object, Declared[]>();
const plans = new WeakMap<object, Plan>();

/**
 * Declares a property as a parameter: its name, its wire type, and whether it may be absent. Constraints on its value
 * are class-validator decorators below this one, checked in the order in which they are written: //
 * @Param(integer(), { default: 100 })
 * @Min(1)
 * @Max(1000) limit!: number;
 */
export function Param<T>(type: WireType<T>, options: ParamOptions<NoInfer<T>> = {}) {
  return (target: object, key: string): void => {
    const fields = declared.get(target) ?? [...(declared.get(Object.getPrototypeOf(target) as object) ?? [])];
    declared.set(target, [...fields.filter((field) => field.key !== key), fieldOf(key, type, options)]);
    // The constraints apply only to present values, also for class-validator itself.
    if (options.optional === true) ValidateIf((_, value) => value !== undefined)(target, key);
    if (type.acceptsNull) ValidateIf((_, value) => value !== null)(target, key);
  };
}

function fieldOf<T>(key: string, type: WireType<T>, options: ParamOptions<T>): Declared {
  const name = options.name ?? key;
  const value = options.default;
  const defaultText = value === undefined ? undefined : JSON.stringify(value);
  const isShared = typeof value === 'object' && value !== null && defaultText !== undefined;
  return {
    key,
    name,
    names: [name, ...(options.aliases ?? [])],
    required: value === undefined && options.optional !== true,
    type,
    description: options.description,
    // A list or object is created for each request, so that no request can mutate another's default.
    makeDefault: isShared ? () => JSON.parse(defaultText) as unknown : () => value,
    defaultText,
  };
}

/** Parameters of a class and its base classes. */
export function fieldsOf(type: ParamsClass): readonly Field[] {
  return planOf(type).fields;
}

interface Slot {
  readonly field: Field;
  readonly place: number;
}

interface Plan {
  readonly fields: readonly Field[];
  /** The parameter of each name. */
  readonly slots: ReadonlyMap<string, Slot>;
}

function planOf(type: ParamsClass): Plan {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const fields = withConstraints(type, declaredBy(type.prototype as object | null));
  const slots = new Map<string, Slot>();
  fields.forEach((field, place) => {
    for (const name of field.names) {
      if (slots.has(name)) throw new Error(`${type.name} declares the parameter ${name} twice.`);
      slots.set(name, { field, place });
    }
  });
  const plan = { fields, slots };
  plans.set(type, plan);
  return plan;
}

function withConstraints(type: ParamsClass, fields: readonly Declared[]): readonly Field[] {
  const constraints = constraintsOf(type);
  for (const key of constraints.keys()) {
    if (!fields.some((field) => field.key === key))
      throw new Error(`${type.name}.${key} is constrained, and no parameter.`);
  }
  return fields.map((field) => ({ ...field, constraints: constraints.get(field.key) ?? UNCONSTRAINED }));
}

function declaredBy(prototype: object | null): readonly Declared[] {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const fields = declared.get(at);
    if (fields !== undefined) return fields;
  }
  return [];
}

export interface ReadParams<T> {
  readonly params: T;
  /** Names that the class does not declare: nothing acts on them, and the answer names them. */
  readonly ignored: readonly string[];
}

/** Accepted by every endpoint: it names the client. */
const CLIENT = 'client';

/**
 * Reads the parameters of a class.
 * @throws Refusal `REQUEST_VARIABLE_MISSING`, `REQUEST_VARIABLE_INVALID`, `REQUEST_CONFUSING_VAR`, `BAD_REQUEST`
 */
export function readParams<T extends object>(type: ParamsClass<T>, given: RawParams): ReadParams<T> {
  const { fields, slots } = planOf(type);
  const sent: (string | undefined)[] = new Array<string | undefined>(fields.length).fill(undefined);
  let ignored: string[] | undefined;
  for (const name in given) {
    const slot = slots.get(name);
    if (slot === undefined) {
      if (name !== CLIENT) (ignored ??= []).push(name);
      continue;
    }
    const before = sent[slot.place];
    if (before !== undefined) throw confusing(slot.field, before, name);
    sent[slot.place] = name;
  }
  const params = new type() as Record<string, unknown>;
  fields.forEach((field, place) => {
    params[field.key] = readField(field, sent[place], given, params);
  });
  return { params: params as T, ignored: ignored ?? NONE };
}

const NONE: readonly string[] = Object.freeze([]);

function readField(field: Field, name: string | undefined, given: RawParams, params: object): unknown {
  const raw = name === undefined ? undefined : given[name];
  if (name !== undefined && raw !== undefined) {
    if (field.required || !standsForAbsence(raw, field.type)) return readValue(field, name, raw, params);
  } else if (isNull(field, given)) {
    return null;
  } else if (field.required) {
    throw new Refusal('REQUEST_VARIABLE_MISSING', `Missing '${field.name}' argument`, { var_name: field.name });
  }
  return field.makeDefault();
}

function readValue({ type, constraints }: Field, name: string, raw: string, params: object): unknown {
  const value = type.read(raw, name);
  const constraint = brokenConstraint(constraints, value, params);
  if (constraint !== undefined) throw refusedValue({ name, raw, value, constraint, constraints, params });
  type.confirm?.(value, name);
  return value;
}

function isNull({ type, names }: Field, given: RawParams): boolean {
  const nulls = given[NULLS];
  return nulls !== undefined && type.acceptsNull && names.some((name) => nulls.has(name));
}

function standsForAbsence(raw: string, type: WireType<unknown>): boolean {
  if (!type.isJson) return false;
  return raw === 'undefined' || (raw === 'null' && !type.acceptsNull);
}

function confusing(field: Field, first: string, second: string): Refusal {
  const [one, other] = [first, second].sort((a, b) => field.names.indexOf(a) - field.names.indexOf(b));
  return new Refusal('REQUEST_CONFUSING_VAR', `Can't decide between '${one}' and '${other}' arguments`, {
    var_name1: one,
    var_name2: other,
  });
}
