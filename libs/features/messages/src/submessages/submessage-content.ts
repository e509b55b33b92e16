import { type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { excerpt, parsedJson } from '#kernel';
import type { WidgetType } from '../model/widget.js';
import { exact, NotBlank } from './widget-content.js';

interface Kind {
  readonly schema: TSchema;
  /** Name of the change, when only the message's sender may make it. */
  readonly ofAuthor?: string;
}

/** Options and tasks are numbered by their authors' clients, from 0; no client uses higher numbers. */
const Index = Type.Integer({ minimum: 0, maximum: 1000 });

/** Allowed submessages of a widget, by their `type`. */
const KINDS: Readonly<Record<WidgetType, Readonly<Record<string, Kind>>>> = {
  poll: {
    vote: {
      schema: Type.Object(
        { type: Type.String(), key: Type.String(), vote: Type.Union([Type.Literal(1), Type.Literal(-1)]) },
        exact,
      ),
    },
    question: {
      schema: Type.Object({ type: Type.String(), question: Type.String() }, exact),
      ofAuthor: 'a question',
    },
    new_option: {
      schema: Type.Object({ type: Type.String(), option: NotBlank, idx: Index }, exact),
    },
  },
  todo: {
    new_task: {
      schema: Type.Object(
        {
          type: Type.String(),
          key: Index,
          task: NotBlank,
          desc: Type.String(),
          completed: Type.Boolean(),
        },
        exact,
      ),
    },
    strike: { schema: Type.Object({ type: Type.String(), key: Type.String() }, exact) },
    new_task_list_title: {
      schema: Type.Object({ type: Type.String(), title: Type.String() }, exact),
      ofAuthor: 'the task list title',
    },
  },
  // Choices are answered by messages.
  zform: {},
};

/**
 * Why the content is not a valid submessage of such a widget; undefined when it is (endpoints.md §4, POST /submessage).
 */
export function problemWithSubmessage(widget: WidgetType, content: string, isAuthor: boolean): string | undefined {
  const said = parsedJson(content);
  if (said === undefined) return 'Invalid json for submessage';
  const type = typeof said === 'object' && said !== null && 'type' in said ? said.type : undefined;
  if (typeof type !== 'string') return 'content must be an object with a type';
  const kind = Object.hasOwn(KINDS[widget], type) ? KINDS[widget][type] : undefined;
  if (kind === undefined) return `Unknown type for ${widget} data: ${excerpt(type, 60)}`;
  if (!isAuthor && kind.ofAuthor !== undefined) return `You can't edit ${kind.ofAuthor} unless you are the author.`;
  return matches(kind.schema, said) ? undefined : `Malformed ${widget} data of type ${type}`;
}

/** Compiled when first used. */
const validators = new Map<TSchema, Validator>();

function matches(schema: TSchema, value: unknown): boolean {
  let validator = validators.get(schema);
  if (validator === undefined) validators.set(schema, (validator = Compile(schema)));
  return validator.Check(value);
}
