import { useState } from 'react';
import { textOf } from '../shared/rendered-html.js';
import { useGathered } from './gathered-messages.js';
import { useChatState } from './model/hooks.js';
import type { Message } from './model/wire.js';

/** Lines beyond these would stand far below the window. */
const LINES_MAX = 100;
/** One line of the widest column. */
const LINE_LENGTH_MAX = 160;

/** A message as a list of conversations shows it. */
export interface LatestLine {
  readonly senderId: number;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly text: string;
}

/**
 * The beginnings of messages, as they are when their IDs come first. A list has its names without them, so a refusal is not shown;
 * the next message, or the next connection, asks again.
 * @param ids of the messages, the most important first
 */
export function useLatestLines(ids: readonly number[]): ReadonlyMap<number, LatestLine> {
  const isLive = useChatState().connection.kind === 'live';
  const [lines, setLines] = useState<ReadonlyMap<number, LatestLine>>(new Map());
  const wanted = ids.slice(0, LINES_MAX);
  const missing = wanted.filter((id) => !lines.has(id));
  useGathered(isLive && missing.length > 0 ? missing.join() : undefined, {
    params: { message_ids: missing },
    isFirst: lines.size === 0,
    done: (messages) => setLines((known) => mergedLines(wanted, known, messages)),
  });
  return lines;
}

/** Of what is wanted no longer, nothing is kept. */
function mergedLines(
  wanted: readonly number[],
  known: ReadonlyMap<number, LatestLine>,
  messages: readonly Message[],
): ReadonlyMap<number, LatestLine> {
  const kept = [...known].filter(([id]) => wanted.includes(id));
  return new Map([...kept, ...messages.map((message) => [message.id, lineOf(message)] as const)]);
}

const lineOf = ({ sender_id: senderId, timestamp: at, content }: Message): LatestLine => ({
  senderId,
  at,
  text: textOf(content).slice(0, LINE_LENGTH_MAX),
});
