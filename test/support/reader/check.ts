import { FEATURE_LEVEL, INTERFACE_LEVELS, isAtLevel, type LevelledKind, type Levels, nameAtLevel } from '#realm/model';
import { type Field, parse, type Shape } from './notation.js';

const PRIMITIVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  I: (value) => Number.isSafeInteger(value),
  F: (value) => typeof value === 'number',
  S: (value) => typeof value === 'string',
  B: (value) => typeof value === 'boolean',
  J: () => true,
  null: (value) => value === null,
  SmallId: (value) => Number.isInteger(value) && (value as number) > 0 && (value as number) < 2 ** 31,
};

/** Reads values by schemas of the advertised level, and complains of each missing, renamed or foreign field, and each value of another type. */
export class Schemas {
  readonly #shapes = new Map<string, Shape>();
  readonly #checks = new WeakMap<Shape, (value: unknown) => boolean>();

  /** @param levelled names of schemas whose fields depend on the level, with their kinds */
  constructor(texts: Readonly<Record<string, string>>, levelled: Readonly<Record<string, LevelledKind>> = {}) {
    for (const [name, text] of Object.entries(texts)) {
      const shape = parse(text);
      const kind = levelled[name];
      this.#shapes.set(name, kind === undefined || shape.kind !== 'object' ? shape : atLevel(kind, shape.fields));
    }
  }

  /** Fields of an object. */
  fields(name: string): ReadonlyMap<string, Field> {
    const shape = this.#shapes.get(name);
    if (shape?.kind !== 'object') throw new Error(`${name} is no schema of an object.`);
    return shape.fields;
  }

  /** What is wrong with the value, at most once a place. */
  complaints(shape: Shape, value: unknown, path: string): string[] {
    return this.#check(shape)(value) ? [] : this.#found(shape, value, path);
  }

  #found(shape: Shape, value: unknown, path: string): string[] {
    switch (shape.kind) {
      case 'word':
        return value === shape.word ? [] : [`${path}: ${shown(value)} is not "${shape.word}"`];
      case 'name':
        return this.#named(shape.name, value, path);
      case 'list':
        if (!Array.isArray(value)) return [`${path}: ${shown(value)} is no list`];
        return value.flatMap((item) => this.#found(shape.of, item, `${path}[]`));
      case 'map':
        if (!isObject(value)) return [`${path}: ${shown(value)} is no object`];
        return Object.values(value).flatMap((item) => this.#found(shape.of, item, `${path}{}`));
      case 'tuple':
        if (!Array.isArray(value) || value.length !== shape.of.length)
          return [`${path}: ${shown(value)} has another length`];
        return shape.of.flatMap((one, index) => this.#found(one, value[index], `${path}[${index}]`));
      case 'any':
        return fewest(shape.of.map((one) => this.#found(one, value, path)));
      case 'object':
        return this.#foundInObject(shape.fields, value, path);
    }
  }

  objectComplaints(fields: ReadonlyMap<string, Field>, value: unknown, path: string): string[] {
    return this.#hasFields(fields, value) ? [] : this.#foundInObject(fields, value, path);
  }

  #foundInObject(fields: ReadonlyMap<string, Field>, value: unknown, path: string): string[] {
    if (!isObject(value)) return [`${path}: ${shown(value)} is no object`];
    const wrong: string[] = [];
    for (const [name, { isOptional, shape }] of fields) {
      if (Object.hasOwn(value, name)) wrong.push(...this.#found(shape, value[name], `${path}.${name}`));
      else if (!isOptional) wrong.push(`${path}.${name} is missing`);
    }
    for (const name of Object.keys(value)) if (!fields.has(name)) wrong.push(`${path}.${name} is foreign`);
    return wrong;
  }

  #named(name: string, value: unknown, path: string): string[] {
    const is = PRIMITIVES[name];
    if (is !== undefined) return is(value) ? [] : [`${path}: ${shown(value)} is no ${name}`];
    return this.#found(this.#shape(name), value, path);
  }
  /** Whether there are no complaints, which is nearly always so: finding that out makes no path and no list. */
  #check(shape: Shape): (value: unknown) => boolean {
    let check = this.#checks.get(shape);
    if (check === undefined) this.#checks.set(shape, (check = this.#compiled(shape)));
    return check;
  }

  #compiled(shape: Shape): (value: unknown) => boolean {
    switch (shape.kind) {
      case 'word':
        return (value) => value === shape.word;
      case 'name':
        return PRIMITIVES[shape.name] ?? ((value) => this.#check(this.#shape(shape.name))(value));
      case 'list': {
        const each = this.#check(shape.of);
        return (value) => Array.isArray(value) && value.every((item) => each(item));
      }
      case 'map': {
        const each = this.#check(shape.of);
        return (value) => isObject(value) && Object.values(value).every((item) => each(item));
      }
      case 'tuple': {
        const all = shape.of.map((one) => this.#check(one));
        return (value) =>
          Array.isArray(value) && value.length === all.length && all.every((one, index) => one(value[index]));
      }
      case 'any': {
        const all = shape.of.map((one) => this.#check(one));
        return (value) => all.some((one) => one(value));
      }
      case 'object':
        return (value) => this.#hasFields(shape.fields, value);
    }
  }

  #hasFields(fields: ReadonlyMap<string, Field>, value: unknown): boolean {
    if (!isObject(value)) return false;
    for (const [name, { isOptional, shape }] of fields) {
      if (Object.hasOwn(value, name) ? !this.#check(shape)(value[name]) : !isOptional) return false;
    }
    return Object.keys(value).every((name) => fields.has(name));
  }

  #shape(name: string): Shape {
    const shape = this.#shapes.get(name);
    if (shape === undefined) throw new Error(`There is no schema ${name}.`);
    return shape;
  }
}

/** The object at the advertised level. What later levels add may be there. */
function atLevel(kind: LevelledKind, fields: ReadonlyMap<string, Field>): Shape {
  const levels: Readonly<Record<string, Levels>> = INTERFACE_LEVELS[kind];
  const there = [...fields].flatMap(([name, field]): [string, Field][] => {
    const level = levels[name];
    if (level?.before !== undefined) return [[nameAtLevel(kind, name), field]];
    if ((level?.from ?? 0) > FEATURE_LEVEL) return [[name, { ...field, isOptional: true }]];
    return isAtLevel(kind, name) ? [[name, field]] : [];
  });
  return { kind: 'object', fields: new Map(there) };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fewest(all: readonly string[][]): string[] {
  return all.reduce((best, one) => (one.length < best.length ? one : best));
}

function shown(value: unknown): string {
  return value === undefined ? 'undefined' : JSON.stringify(value).slice(0, 80);
}
