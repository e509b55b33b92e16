import { ValidateBy } from '#validation';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { echo } from './wire-types.js';

/** A schema that explains mismatches. Compiled when first used: all of them together would take a good part of a start. */
export class CompiledShape {
  #validator: Validator | undefined;
  /** Maximum length of the list, or of the list among alternatives. */
  readonly itemsMax: number | undefined;

  constructor(readonly schema: TSchema & { maxItems?: number; anyOf?: readonly { maxItems?: number }[] }) {
    this.itemsMax = schema.maxItems ?? schema.anyOf?.find(({ maxItems }) => maxItems !== undefined)?.maxItems;
  }

  matches(value: unknown): boolean {
    return this.#compiled().Check(value);
  }

  /** Where and why a value does not match. Of alternatives, the one that matched furthest is explained. */
  explain(value: unknown): string {
    const [, errors] = this.#compiled().Errors(value);
    const told = errors.filter(({ keyword }) => keyword !== 'boolean' && keyword !== 'anyOf');
    const depthMax = Math.max(...told.map(depthOf));
    const error = told.find((one) => depthOf(one) === depthMax) ?? errors[0];
    if (error === undefined) return ' does not have the expected form';
    const path = error.instancePath
      .split('/')
      .slice(1)
      .map((key) => (/^\d+$/.test(key) ? `[${key}]` : `["${echo(key)}"]`))
      .join('');
    const said = told.filter((one) => one.instancePath === error.instancePath && one.keyword === error.keyword);
    const messages = [...new Set(said.map(({ message }) => echo(message)))];
    return `${path} ${error.keyword === 'type' ? messages.join(' or ') : echo(error.message)}`;
  }

  #compiled(): Validator {
    return (this.#validator ??= Compile(this.schema));
  }
}

function depthOf({ instancePath }: { readonly instancePath: string }): number {
  return instancePath.split('/').length;
}

/**
 * JSON of this shape, for what class-validator's decorators cannot express: alternatives, pairs, objects in lists,
 * whose place a refusal names.
 */
export function Shape(schema: TSchema): PropertyDecorator {
  return shaped('shape', new CompiledShape(schema), (shape, value) => shape.matches(value));
}

/** JSON of this shape, or text: for `jsonOrText`. */
export function ShapeOrText(schema: TSchema): PropertyDecorator {
  return shaped(
    'shapeOrText',
    new CompiledShape(schema),
    (shape, value) => typeof value === 'string' || shape.matches(value),
  );
}

function shaped(
  name: string,
  shape: CompiledShape,
  accepts: (shape: CompiledShape, value: unknown) => boolean,
): PropertyDecorator {
  return ValidateBy({
    name,
    constraints: [shape],
    validator: {
      validate: (value) => accepts(shape, value),
      defaultMessage: () => '$property does not have the expected form',
    },
  });
}
