/** Polls and to-do lists: what their submessages come to. They are written as other clients of the interface write theirs. */
import type { Submessage } from '../model/wire.js';

export interface Option {
  readonly key: string;
  readonly text: string;
  /** Who votes for it. */
  readonly votes: ReadonlySet<number>;
}

export interface Task {
  readonly key: string;
  readonly text: string;
  readonly about: string;
  readonly isDone: boolean;
}

export interface Choice {
  readonly name: string;
  readonly text: string;
  /** What is sent when it is chosen. */
  readonly reply: string;
}

export type Widget =
  | {
      readonly kind: 'poll';
      readonly question: string;
      readonly options: readonly Option[];
      readonly nextIndex: number;
    }
  | { readonly kind: 'todo'; readonly title: string; readonly tasks: readonly Task[]; readonly nextIndex: number }
  | { readonly kind: 'choices'; readonly heading: string; readonly choices: readonly Choice[] };

type Said = Readonly<Record<string, unknown>>;

/**
 * @param meId whose next option or task is numbered
 * @returns undefined for a message that is none, or none that this page knows
 */
export function widgetOf(submessages: readonly Submessage[], meId: number): Widget | undefined {
  const [first, ...rest] = submessages;
  const { widget_type: type, extra_data: given } = said(first?.content);
  if (typeof given !== 'object' || given === null) return undefined;
  const extra = given as Said;
  if (type === 'poll') return pollOf(extra, rest, meId);
  if (type === 'todo') return todoOf(extra, rest, meId);
  if (type !== 'zform') return undefined;
  const choices = listOf(extra['choices']).map((one) => ({
    name: textOf(one['short_name']),
    text: textOf(one['long_name']),
    reply: textOf(one['reply']),
  }));
  return { kind: 'choices', heading: textOf(extra['heading']), choices };
}

function pollOf(extra: Said, rest: readonly Submessage[], meId: number): Widget {
  const options = new Map<string, { readonly text: string; readonly votes: Set<number> }>();
  let [question, nextIndex] = [textOf(extra['question']), 1];
  const add = (by: number | string, index: unknown, text: unknown): void => {
    const isKnown = [...options.values()].some((one) => one.text === text);
    if (!isKnown) options.set(`${by},${Number(index)}`, { text: textOf(text), votes: new Set() });
  };
  (Array.isArray(extra['options']) ? extra['options'] : []).forEach((text, index) => add('canned', index, text));
  for (const { sender_id: by, content } of rest) {
    const change = said(content);
    if (change['type'] === 'question') question = textOf(change['question']);
    else if (change['type'] === 'new_option') {
      add(by, change['idx'], change['option']);
      if (by === meId) nextIndex = Math.max(nextIndex, Number(change['idx']) + 1);
    } else if (change['type'] === 'vote') {
      const votes = options.get(textOf(change['key']))?.votes;
      if (change['vote'] === 1) votes?.add(by);
      else votes?.delete(by);
    }
  }
  const all = [...options].map(([key, { text, votes }]) => ({ key, text, votes }));
  return { kind: 'poll', question, options: all, nextIndex };
}

function todoOf(extra: Said, rest: readonly Submessage[], meId: number): Widget {
  const tasks = new Map<string, Task>();
  let [title, nextIndex] = [textOf(extra['task_list_title']), 1];
  const add = (by: number | string, index: unknown, task: Said): void => {
    const [key, text] = [`${Number(index)},${by}`, textOf(task['task'])];
    const isKnown = [...tasks.values()].some((one) => one.text === text);
    if (!isKnown) tasks.set(key, { key, text, about: textOf(task['desc']), isDone: task['completed'] === true });
  };
  listOf(extra['tasks']).forEach((task, index) => add('canned', index, task));
  for (const { sender_id: by, content } of rest) {
    const change = said(content);
    if (change['type'] === 'new_task_list_title') title = textOf(change['title']);
    else if (change['type'] === 'new_task') {
      add(by, change['key'], change);
      if (by === meId) nextIndex = Math.max(nextIndex, Number(change['key']) + 1);
    } else if (change['type'] === 'strike') {
      const task = tasks.get(textOf(change['key']));
      if (task !== undefined) tasks.set(task.key, { ...task, isDone: !task.isDone });
    }
  }
  return { kind: 'todo', title, tasks: [...tasks.values()], nextIndex };
}

/** Nothing of what is no JSON object. */
function said(content: string | undefined): Said {
  try {
    const value: unknown = JSON.parse(content ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Said) : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const listOf = (value: unknown): readonly Said[] =>
  (Array.isArray(value) ? value : []).filter((one): one is Said => typeof one === 'object' && one !== null);
