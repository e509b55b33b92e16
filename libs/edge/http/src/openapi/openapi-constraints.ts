import type { JsonObject } from '#kernel';
import type { PropertyConstraints } from '#validation';
import type { CompiledShape } from '../params/shapes.js';

/** JSON Schema of a constraint, by its name. A constraint without a keyword appears only in the description. */
const KEYWORDS: Readonly<Record<string, (limit: unknown) => object>> = {
  min: (minimum) => ({ minimum }),
  max: (maximum) => ({ maximum }),
  minCharacters: (minLength) => ({ minLength }),
  maxCharacters: (maxLength) => ({ maxLength }),
  isIn: (values) => ({ enum: values }),
  isArray: () => ({ type: 'array' }),
  isInt: () => ({ type: 'integer' }),
  isString: () => ({ type: 'string' }),
  arrayMaxSize: (maxItems) => ({ maxItems }),
  shape: (shape) => (shape as CompiledShape).schema,
  shapeOrText: (shape) => ({ anyOf: [(shape as CompiledShape).schema, { type: 'string' }] }),
};

/** JSON Schema of a property's class-validator decorators. */
export function schemaOfConstraints({ constraints }: PropertyConstraints): JsonObject {
  const [ofItems, ofValue] = [true, false].map((isEach) => {
    const said = constraints.filter(({ each }) => each === isEach);
    return Object.assign({}, ...said.map(({ name, limits }) => KEYWORDS[name]?.(limits[0]))) as JsonObject;
  }) as [JsonObject, JsonObject];
  return Object.keys(ofItems).length === 0 ? ofValue : { ...ofValue, items: ofItems };
}
