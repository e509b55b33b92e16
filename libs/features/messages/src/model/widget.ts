/** Kinds of messages that clients render themselves, from submessages. */
export type WidgetType = 'poll' | 'todo' | 'zform';

export interface Widget {
  readonly type: WidgetType;
  /** JSON of the first submessage. */
  readonly content: string;
}

/** The widget of a message as it was sent: the one that a service asked for, or else that of its content. */
export function widgetOfMessage(sent: { readonly content: string; readonly widget?: Widget }): Widget | undefined {
  return sent.widget ?? widgetOf(sent.content);
}

const COMMAND = /^\/(poll|todo)(?:\s|$)/;
/** List marker, which authors may put before each option. */
const LIST_MARK = /^\s*[-*]?\s*/;

/**
 * Parses the widget of a content: `/poll question` or `/todo title`, and an option or a task on each further line
 * (rules.md §9).
 */
export function widgetOf(content: string): Widget | undefined {
  const type = COMMAND.exec(content)?.[1] as WidgetType | undefined;
  if (type === undefined) return undefined;
  const [first = '', ...lines] = content.slice(type.length + 1).split(/\r\n|[\n\r]/);
  const title = first.trim();
  const entries = lines.map((line) => line.trim().replace(LIST_MARK, '')).filter((entry) => entry !== '');
  const extra = type === 'poll' ? { question: title, options: entries } : todo(title, entries);
  return { type, content: JSON.stringify({ widget_type: type, extra_data: extra }) };
}

/** A task, and its description after the first colon. */
function todo(title: string, entries: readonly string[]): object {
  const tasks = entries.map((entry) => {
    const colon = entry.indexOf(':');
    if (colon === -1) return { task: entry, desc: '' };
    return { task: entry.slice(0, colon).trim(), desc: entry.slice(colon + 1).trim() };
  });
  return { task_list_title: title, tasks };
}

/** Submessages are numbered within their message, and their IDs are unique; a message has fewer than this. */
const IDS_PER_MESSAGE = 10_000;

/** @param number of the submessage within its message; 0 is the widget itself */
export function submessageIdOf(messageId: number, number: number): number {
  return messageId * IDS_PER_MESSAGE + number;
}
