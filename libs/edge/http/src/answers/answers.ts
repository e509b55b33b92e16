import type { TSchema } from 'typebox';
import type { Wire } from '#wire';
import { declare, type AnswerShape } from '../access.js';

/** A decorator for methods with this return value. */
type ForMethod<Answer> = <Method extends (...given: never[]) => Answer | Promise<Answer>>(
  target: object,
  key: string,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Names what a success answers with, beside the envelope: the OpenAPI document describes it, and tests compare every answer with it. The
 * method must return it; without a schema it returns nothing. A server that runs checks nothing.
 */
export function Answers(): ForMethod<void>;
export function Answers<Schema extends TSchema>(schema: Schema): ForMethod<Wire<Schema>>;
export function Answers(schema: TSchema = NO_FIELDS): ForMethod<never> {
  return shaped({ kind: 'json', schema });
}

/** For methods that write the answer's text themselves (`sendFields`). */
export function WritesAnswer(schema: TSchema): ForMethod<void> {
  return shaped({ kind: 'json', schema }, true);
}

/** For methods that return the JSON text themselves. */
export function AnswersText(schema: TSchema): ForMethod<string> {
  return shaped({ kind: 'json', schema });
}

/** For methods that answer with content of these media types, or redirect to it. */
export function AnswersFile(...mediaTypes: readonly string[]): MethodDecorator {
  return shaped({ kind: 'file', mediaTypes }) as MethodDecorator;
}

const NO_FIELDS = { type: 'object', properties: {} };

function shaped(answer: AnswerShape, writesAnswer = false): ForMethod<unknown> {
  return (target, key, descriptor) => {
    declare({ answer, writesAnswer })(target, key, descriptor as PropertyDescriptor);
  };
}
