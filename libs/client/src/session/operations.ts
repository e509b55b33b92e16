import { lacking } from '../core/ordered.js';
import type { Call } from './transport.js';
import type { Operations } from '../wire/types.generated.js';
import type { Fields } from '../wire/types.js';

/** An operation of the interface by method and path, such as `PATCH /messages/{message_id}`. */
export type Operation = keyof Operations;

/** Parameters of an operation: those of its path, its query and its body. */
export type ParamsOf<Name extends Operation> = Given<Parts<Operations[Name][0]>>;

/** Answer of an operation that has succeeded. */
export type AnswerOf<Name extends Operation> = Operations[Name][1][200];

/** What follows the name of an operation in `Client.call`: nothing is needed where no parameter is. */
export type ParamsAfter<Name extends Operation> =
  Partial<ParamsOf<Name>> extends ParamsOf<Name> ? [params?: ParamsOf<Name>] : [params: ParamsOf<Name>];

type Parts<Data> = Part<Data, 'path'> & Part<Data, 'query'> & Part<Data, 'body'>;
type Part<Data, Name extends string> = Data extends { readonly [Key in Name]?: infer Of }
  ? [NonNullable<Of>] extends [never]
    ? unknown
    : undefined extends Of
      ? Partial<NonNullable<Of>>
      : Of
  : unknown;

/** Lists may be those that nobody changes. */
type Given<Type> = Type extends readonly (infer One)[]
  ? readonly Given<One>[]
  : Type extends object
    ? { readonly [Key in keyof Type]: Given<Type[Key]> }
    : Type;

/** What no part of a path can be: the path would be another one, encoded or not. */
const NO_PART = /^(\.{0,2}|undefined)$/;

/**
 * The call of an operation; parameters that its path names are put there.
 * @throws RangeError for one that is absent, empty, `.` or `..`
 */
export function callOf(operation: Operation, params: Fields | undefined): Call {
  const [method, template] = operation.split(' ') as [Call['method'], string];
  let rest = params ?? {};
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = String(rest[name]);
    rest = lacking(rest, name);
    if (NO_PART.test(part)) throw new RangeError(`${name}: "${part}"`);
    return encodeURIComponent(part);
  });
  return { method, path, params: rest };
}
