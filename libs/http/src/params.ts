import { Refusal } from '#kernel';
import type { Decoder } from './decoders.js';
import { NULLS, type Given } from './given.js';

export interface ParamOptions<T> {
  /** Name on the wire, when it is not the property's. */
  readonly name?: string;
  /** Other names for the same parameter. Two of them in one request are `REQUEST_CONFUSING_VAR`. */
  readonly aliases?: readonly string[];
  /** Absent is fine and reads as `undefined`. */
  readonly optional?: boolean;
  /** Absent is fine and reads as this. */
  readonly default?: T;
  /** For the OpenAPI document. */
  readonly description?: string;
}

/** A class whose properties are declared by `@Param`. */
export type ParamsClass<T extends object = object> = new () => T;

/** One declared parameter. */
export interface Field {
  readonly key: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly required: boolean;
  readonly decoder: Decoder<unknown>;
  readonly description: string | undefined;
  readonly makeDefault: () => unknown;
  readonly defaultText: string | undefined;
}

const declared = new WeakMap<object, Field[]>();
const plans = new WeakMap<object, Plan>();

/**
 * Declares a property as a parameter.
 *
 * Parameters are text in a form or a query, so each needs one step from text to value. That step is a decoder, and all
 * decoders of a class run in one pass over what was sent. class-validator is not used on this path: it reflects on
 * every property of every request, and its ValidationPipe halves the server's throughput.
 */
export function Param<T>(decoder: Decoder<T>, options: ParamOptions<NoInfer<T>> = {}) {
  return (target: object, key: string): void => {
    const fields = declared.get(target) ?? [...(declared.get(Object.getPrototypeOf(target) as object) ?? [])];
    declared.set(target, [...fields.filter((field) => field.key !== key), fieldOf(key, decoder, options)]);
  };
}

function fieldOf<T>(key: string, decoder: Decoder<T>, options: ParamOptions<T>): Field {
  const name = options.name ?? key;
  const value = options.default;
  const defaultText = value === undefined ? undefined : JSON.stringify(value);
  const isShared = typeof value === 'object' && value !== null && defaultText !== undefined;
  return {
    key,
    name,
    names: [name, ...(options.aliases ?? [])],
    required: value === undefined && options.optional !== true,
    decoder,
    description: options.description,
    // A list or object is made anew for each request, so that nobody changes another's default.
    makeDefault: isShared ? () => JSON.parse(defaultText) as unknown : () => value,
    defaultText,
  };
}

/** The parameters that a class and those it extends declare. */
export function fieldsOf(type: ParamsClass): readonly Field[] {
  return planOf(type).fields;
}

interface Slot {
  readonly field: Field;
  readonly place: number;
}

interface Plan {
  readonly fields: readonly Field[];
  /** Where each name belongs. */
  readonly slots: ReadonlyMap<string, Slot>;
}

function planOf(type: ParamsClass): Plan {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const fields = declaredBy(type.prototype as object | null);
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

function declaredBy(prototype: object | null): readonly Field[] {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const fields = declared.get(at);
    if (fields !== undefined) return fields;
  }
  return [];
}

export interface ReadParams<T> {
  readonly params: T;
  /** Names that the class does not declare. */
  readonly ignored: readonly string[];
}

/** Always understood, by every endpoint: it names the client. */
const CLIENT = 'client';

/**
 * Reads the parameters of a class.
 * @throws Refusal `REQUEST_VARIABLE_MISSING`, `REQUEST_VARIABLE_INVALID`, `REQUEST_CONFUSING_VAR`, `BAD_REQUEST`
 */
export function readParams<T extends object>(type: ParamsClass<T>, given: Given): ReadParams<T> {
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
    params[field.key] = readField(field, sent[place], given);
  });
  return { params: params as T, ignored: ignored ?? NONE };
}

const NONE: readonly string[] = Object.freeze([]);

function readField(field: Field, name: string | undefined, given: Given): unknown {
  const raw = name === undefined ? undefined : given[name];
  if (name !== undefined && raw !== undefined) {
    if (field.required || !standsForAbsence(raw, field.decoder)) return field.decoder.decode(raw, name);
  } else if (isNull(field, given)) {
    return null;
  } else if (field.required) {
    throw new Refusal('REQUEST_VARIABLE_MISSING', `Missing '${field.name}' argument`, { var_name: field.name });
  }
  return field.makeDefault();
}

function isNull({ decoder, names }: Field, given: Given): boolean {
  const nulls = given[NULLS];
  return nulls !== undefined && decoder.acceptsNull && names.some((name) => nulls.has(name));
}

function standsForAbsence(raw: string, decoder: Decoder<unknown>): boolean {
  if (!decoder.isJson) return false;
  return raw === 'undefined' || (raw === 'null' && !decoder.acceptsNull);
}

function confusing(field: Field, first: string, second: string): Refusal {
  const [one, other] = [first, second].sort((a, b) => field.names.indexOf(a) - field.names.indexOf(b));
  return new Refusal('REQUEST_CONFUSING_VAR', `Can't decide between '${one}' and '${other}' arguments`, {
    var_name1: one,
    var_name2: other,
  });
}
