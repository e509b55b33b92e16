import { type Static, type TSchema, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';
import { parsedJson } from '#kernel';
import { MESSAGE_LENGTH_MAX } from '../model/message-settings.js';
import type { Widget } from '../model/widget.js';

export const exact = { additionalProperties: false };
export const NotBlank = Type.String({ pattern: '\\S' });
/** As many as submessages can name. */
const ENTRIES_MAX = 1000;
const entries = { maxItems: ENTRIES_MAX };

/** What content with `/poll` and `/todo` becomes, and choices, which are answered by messages. */
const WidgetContent = Type.Union([
  Type.Object(
    {
      widget_type: Type.Literal('poll'),
      extra_data: Type.Object({ question: Type.String(), options: Type.Array(NotBlank, entries) }, exact),
    },
    exact,
  ),
  Type.Object(
    {
      widget_type: Type.Literal('todo'),
      extra_data: Type.Object(
        {
          task_list_title: Type.String(),
          tasks: Type.Array(Type.Object({ task: NotBlank, desc: Type.String() }, exact), entries),
        },
        exact,
      ),
    },
    exact,
  ),
  Type.Object(
    {
      widget_type: Type.Literal('zform'),
      extra_data: Type.Object(
        {
          type: Type.Literal('choices'),
          heading: Type.String(),
          choices: Type.Array(
            Type.Object(
              {
                type: Type.Optional(Type.Literal('multiple_choice')),
                short_name: NotBlank,
                long_name: Type.String(),
                reply: NotBlank,
              },
              exact,
            ),
            entries,
          ),
        },
        exact,
      ),
    },
    exact,
  ),
]);

/** Compiled when first used. */
let validator: Validator | undefined;

/**
 * The widget that a service asks for (endpoints.md §9, `widget_content`), as an object or as JSON; undefined when it is
 * not valid. It may be as long as content.
 */
export function givenWidget(said: unknown): Widget | undefined {
  const value = typeof said === 'string' ? parsedJson(said) : said;
  if (!isWidgetContent(value)) return undefined;
  const { widget_type: type, extra_data } = value;
  const content = JSON.stringify({ widget_type: type, extra_data });
  return content.length > MESSAGE_LENGTH_MAX ? undefined : { type, content };
}

function isWidgetContent(value: unknown): value is Static<typeof WidgetContent> {
  validator ??= Compile(WidgetContent as TSchema);
  return validator.Check(value);
}
