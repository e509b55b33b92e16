import type { TSchema } from 'typebox';
import type { JsonObject } from '#kernel';
import { COMPONENTS, componentName } from '#wire';
import type { AnswerShape } from '../access.js';
import { failureSchema } from '../answers/failure-schema.js';

/** Components of the document by name. */
export type Components = Record<string, JsonObject>;

export const JSON_MEDIA = 'application/json';

/** Every success has these fields; some answers have others beside them. */
export const SUCCESS: JsonObject = {
  description: 'Fields of every success.',
  type: 'object',
  required: ['result', 'msg'],
  properties: {
    result: { const: 'success' },
    msg: { type: 'string', description: 'Empty.' },
    ignored_parameters_unsupported: {
      type: 'array',
      items: { type: 'string' },
      description: 'Names of parameters that the operation does not have, and that changed nothing.',
    },
  },
};

/** The answers of an operation: its success, and the refusals that all operations share. */
export function responsesOf(
  answer: AnswerShape | undefined,
  isEnveloped: boolean,
  components: Components,
): Record<string, JsonObject> {
  const refusal = jsonSchemaOf(failureSchema(), components);
  const failed = { description: 'Refused', content: { [JSON_MEDIA]: { schema: refusal } } };
  return { ...successOf(answer, isEnveloped, components), '4XX': failed };
}

function successOf(
  answer: AnswerShape | undefined,
  isEnveloped: boolean,
  components: Components,
): Record<string, JsonObject> {
  if (answer?.kind === 'file') {
    const content = Object.fromEntries(answer.mediaTypes.map((type) => [type, {}]));
    return { '200': { description: 'The content', content }, '302': { description: 'The content is at `Location`' } };
  }
  components['Success'] = SUCCESS;
  // A test finds the operation, and fails.
  if (answer === undefined) return { '200': { description: 'Not described' } };
  const own = jsonSchemaOf(answer.schema, components);
  const schema = isEnveloped ? enveloped(own) : own;
  return { '200': { description: 'Success', content: { [JSON_MEDIA]: { schema } } } };
}

function enveloped(own: JsonObject): JsonObject {
  const isEmpty = own.properties !== undefined && Object.keys(own.properties as object).length === 0;
  return isEmpty ? refTo('Success') : { allOf: [refTo('Success'), own] };
}

/**
 * Plain JSON Schema. Named schemas become components, and references to them.
 * @param inPlace name of the component that this schema is itself
 */
export function jsonSchemaOf(schema: TSchema, components: Components, inPlace?: string): JsonObject {
  const name = componentName(schema);
  if (name !== undefined && name !== inPlace) {
    if (!Object.hasOwn(components, name)) {
      // Reserved first: a schema may come back to itself.
      components[name] = {};
      components[name] = jsonSchemaOf(schema, components, name);
    }
    return refTo(name);
  }
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) =>
      key.startsWith('~') ? [] : [[key, partOf(key, value, components)]],
    ),
  ) as JsonObject;
}

/** Keywords whose values are schemas by name. */
const SCHEMAS_BY_NAME = new Set(['properties', 'patternProperties']);

function partOf(key: string, value: unknown, components: Components): unknown {
  if (SCHEMAS_BY_NAME.has(key))
    return Object.fromEntries(
      Object.entries(value as Record<string, TSchema>).map(([name, one]) => [name, jsonSchemaOf(one, components)]),
    );
  if (Array.isArray(value)) return value.map((one: unknown) => (isSchema(one) ? jsonSchemaOf(one, components) : one));
  return isSchema(value) ? jsonSchemaOf(value, components) : value;
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refTo(name: string): JsonObject {
  return { $ref: `${COMPONENTS}${name}` };
}
