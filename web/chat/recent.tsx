import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { reasonOf } from '../shared/api.js';
import { dialogWords as words } from '../shared/en-dialogs.js';
import { shortTimeOf } from '../shared/time.js';
import { Badge, Loading, Square, widgetClasses } from '../shared/widgets.js';
import { useGathered } from './gathered-messages.js';
import inbox from './inbox.module.css';
import type { ChatState } from './model/chat-state.js';
import type { Chat } from './model/chat.js';
import { useChat, useChatState, useModel } from './model/hooks.js';
import { type Place, placeKey, placeOfMessage } from './model/place.js';
import type { Message } from './model/wire.js';
import { hashOf, personName, placeName } from './places.js';
import { ViewHead } from './view-head.js';

/** Messages that are looked through for conversations, at first and after something came. */
const LOOKED_THROUGH = 300;
const NEWER_MAX = 100;
const NAMED_MAX = 3;

interface Conversation {
  readonly key: string;
  readonly place: Place;
  readonly latestId: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** Who wrote there, the latest first. */
  readonly senders: readonly number[];
}

/** The conversations in which somebody has written lately, the latest first. */
export default function Recent(): ReactNode {
  const state = useChatState();
  const { conversations, failure } = useConversations(state);
  const list = useRef<HTMLUListElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
    event.preventDefault();
  };
  return (
    <>
      <ViewHead title={words.recent} />
      <div data-list className={inbox['list']} onKeyDown={onKeyDown}>
        <div className={inbox['inner']}>
          {failure !== undefined && (
            <p role="alert" className={widgetClasses['error']}>
              {words.recentFailed(failure)}
            </p>
          )}
          {conversations === undefined && failure === undefined && <Loading />}
          {conversations?.length === 0 && <p className={widgetClasses['note']}>{words.recentEmpty}</p>}
          <ul ref={list}>
            {conversations?.map((one) => (
              <Row key={one.key} conversation={one} state={state} />
            ))}
          </ul>
        </div>
      </div>
    </>
  );
}

function Row({ conversation, state }: { readonly conversation: Conversation; readonly state: ChatState }): ReactNode {
  const { place, key, senders, at } = conversation;
  const { count = 0, mentions = 0 } = state.unread.get(key) ?? {};
  return (
    <li className={`${inbox['row']} ${inbox['whole']}`}>
      {/* All names begin alike. */}
      <Square
        color={place.kind === 'topic' ? (state.channels.get(place.channelId)?.color ?? 'var(--line)') : 'transparent'}
      />
      <div className={inbox['what']}>
        <a href={hashOf(place, state)}>{placeName(state, place)}</a>
        {/* A conversation of two has the name of its only other sender. */}
        {(place.kind === 'topic' || place.userIds.length > 1) && (
          <span className={inbox['line']}>
            {senders
              .slice(0, NAMED_MAX)
              .map((id) => personName(state, id))
              .join(', ')}
          </span>
        )}
      </div>
      <Badge count={count} isMention={mentions > 0} label={words.unread(count)} />
      <time className={inbox['at']}>{shortTimeOf(at)}</time>
    </li>
  );
}

/** What was looked through last: it stands until there is an answer, and for as long as there is no connection. */
const lookedThrough = new WeakMap<Chat, readonly Message[]>();

function useConversations({ meId, connection: { kind }, allChannels }: ChatState) {
  const chat = useChat();
  const { maxMessageId } = useModel();
  const isOffline = kind === 'offline';
  const [messages, setMessages] = useState<readonly Message[]>();
  const [failure, setFailure] = useState<string>();
  const changes = useChanges(chat, kind === 'live');
  /** Of these, those that the messages are newer than. */
  const known = useRef(0);
  const newestId = messages?.at(-1)?.id;
  const mayAsk = newestId === undefined ? !isOffline : kind === 'live';
  const isWhole = newestId === undefined || known.current !== changes;
  const range = isWhole
    ? { anchor: 'newest', num_before: LOOKED_THROUGH, num_after: 0 }
    : { anchor: newestId, num_before: 0, num_after: NEWER_MAX, include_anchor: false };
  useGathered(mayAsk ? `${maxMessageId} ${changes}` : undefined, {
    params: { ...range, narrow: [], apply_markdown: false },
    isFirst: newestId === undefined,
    done: (found) => {
      setFailure(undefined);
      if (!isWhole && found.length === 0) return;
      known.current = changes;
      setMessages((before = []) => {
        const all = isWhole ? found : [...before, ...found].slice(-LOOKED_THROUGH);
        lookedThrough.set(chat, all);
        return all;
      });
    },
    failed: (error) => setFailure(reasonOf(error)),
  });
  const isMissing = isOffline || failure !== undefined;
  const shown = messages ?? lookedThrough.get(chat) ?? (isMissing ? chat.known().slice(-LOOKED_THROUGH) : undefined);
  // Channels that the reader has lost are not told any more.
  const conversations =
    shown &&
    conversationsOf(shown, meId).filter(
      ({ place }) => place.kind === 'direct' || allChannels.some(({ stream_id }) => stream_id === place.channelId),
    );
  const isEmpty = isOffline && (conversations ?? []).length === 0;
  return { conversations: isEmpty ? undefined : conversations, failure: isEmpty ? words.lost : failure };
}

/** Counts what changes messages that were there before: moves and deletions, and times in which these are not told. */
function useChanges(chat: Chat, isTold: boolean): number {
  const [changes, setChanges] = useState(0);
  const count = (): void => setChanges((before) => before + 1);
  useEffect(
    () =>
      chat.onEvent(({ type, ...event }) => {
        if (type === 'delete_message' || (type === 'update_message' && 'propagate_mode' in event)) count();
      }),
    [chat],
  );
  useEffect(() => (isTold ? count : undefined), [isTold]);
  return changes;
}

function conversationsOf(messages: readonly Message[], meId: number): readonly Conversation[] {
  const found = new Map<string, Conversation>();
  for (const message of messages) {
    const place = placeOfMessage(message, meId);
    const key = placeKey(place);
    const before = found.get(key)?.senders ?? [];
    const senders = [message.sender_id, ...before.filter((id) => id !== message.sender_id)];
    found.set(key, { key, place, latestId: message.id, at: message.timestamp, senders });
  }
  return [...found.values()].sort((a, b) => b.latestId - a.latestId);
}
