import type { Message, RecentDirect, ServerEvent, UserTopic } from '../wire/types.js';
import { everywhere } from './channels.js';
import type { IdSet } from './id-map.js';
import { nothing, reducing, type Reducers } from './reducer.js';
import { type State, topicKey, withUnread } from './state.js';
import {
  added,
  moved,
  type Place,
  placeOf,
  placeOfUnread,
  recounted,
  reflagged,
  removed,
  removedAll,
  withOthers,
} from './unread.js';

/** Topic settings that came after the registration are behind those of it. */
const LATER = 2 ** 32;

interface Sent {
  readonly message: Message;
  readonly flags: readonly string[];
}

interface Updated {
  readonly message_id: number;
  readonly message_ids: readonly number[];
  readonly stream_id?: number;
  readonly new_stream_id?: number;
  readonly orig_subject?: string;
  readonly subject?: string;
  readonly content?: string;
  readonly rendering_only?: boolean;
  readonly flags: readonly string[];
}

interface Flagged {
  readonly flag: string;
  readonly messages: readonly number[];
  readonly all?: boolean;
  readonly message_details?: Readonly<Record<string, UnreadDetail>>;
}

type UnreadDetail = { readonly mentioned?: boolean } & (
  | { readonly type: 'stream'; readonly stream_id: number; readonly topic: string }
  | { readonly type: 'private'; readonly user_ids: readonly number[] }
);

export const messageReducers = {
  message: reducing<Sent>((state, { message, flags }) => {
    const place = placeOf(message, state.self);
    const { id } = message;
    const next = flags.includes('read')
      ? state
      : withUnread(state, (unread, known) => added(unread, id, place, flags, known));
    const { maxMessageId } = next;
    const counted = maxMessageId === undefined ? next : { ...next, maxMessageId: Math.max(maxMessageId, id) };
    return 'channelId' in place
      ? withFirstMessage(counted, place.channelId, id)
      : withRecent(counted, place.others, id);
  }),

  update_message: reducing<Updated>((state, event) =>
    withUnread(state, (unread, places) => {
      let next = unread;
      if (event.orig_subject !== undefined || event.new_stream_id !== undefined)
        for (const id of event.message_ids) {
          const place = placeOfUnread(next, id);
          if (place === undefined || 'others' in place) continue;
          const channelId = event.new_stream_id ?? event.stream_id ?? place.channelId;
          next = moved(next, id, { channelId, topic: event.subject ?? place.topic }, places);
        }
      const isEdit = event.content !== undefined && event.rendering_only !== true;
      if (!isEdit) return next;
      // Without the mention that was all that made it the reader's, it is read.
      if (event.flags.includes('read')) return removed(next, [event.message_id], places);
      return reflagged(next, event.message_id, event.flags, places);
    }),
  ),

  delete_message: (state, event) => {
    const ids = deletedBy(event);
    const next = withUnread(state, (unread, places) => removed(unread, ids, places));
    return { ...next, starred: next.starred && flagged(next.starred, ids, false) };
  },

  update_message_flags: reducing<Flagged>((state, { op, flag, messages, all, message_details: details }) => {
    if (op !== 'add' && op !== 'remove') return undefined;
    if (flag === 'starred')
      return { ...state, starred: state.starred && flagged(state.starred, messages, op === 'add') };
    if (flag !== 'read') return state;
    return withUnread(state, (unread, places) => {
      if (op === 'add') return all === true ? removedAll(unread) : removed(unread, messages, places);
      let next = unread;
      for (const id of messages) {
        const detail = details?.[id];
        if (detail === undefined) continue;
        const flags = detail.mentioned === true ? ['mentioned'] : [];
        next = added(next, id, placeIn(detail, state.self), flags, places);
      }
      return next;
    });
  }),

  user_topic: reducing<UserTopic>((state, { id, stream_id, topic_name, last_updated, visibility_policy }) => {
    if (state.topics === undefined) return state;
    const key = topicKey(stream_id, topic_name);
    const topic = { stream_id, topic_name, last_updated, visibility_policy };
    const order = state.topics.get(key)?.order ?? LATER + id;
    const topics = state.topics.set(key, visibility_policy === 0 ? undefined : { order, topic });
    // Muted messages do not count.
    return withUnread({ ...state, topics }, recounted);
  }),

  reaction: nothing,
  submessage: nothing,
  typing: nothing,
  typing_edit_message: nothing,
} satisfies Reducers;

/** IDs of the messages that an event deletes: one, or all of a list. */
export function deletedBy({ message_id: id, message_ids: ids = [id] }: ServerEvent): readonly number[] {
  return ids as readonly number[];
}

function flagged(set: IdSet, ids: readonly number[], isSet: boolean): IdSet {
  return ids.reduce((all, id) => (isSet ? all.set(id, true) : all.delete(id)), set);
}

function placeIn(detail: UnreadDetail, self: number): Place {
  if (detail.type === 'stream') return { channelId: detail.stream_id, topic: detail.topic };
  return withOthers(detail.user_ids, self);
}

/** That a channel has its first message, nothing else tells; nothing at all without a subscription. */
function withFirstMessage(state: State, channelId: number, id: number): State {
  if (state.subscriptions?.has(channelId) === false) return state;
  return everywhere(state, channelId, (channel) =>
    (channel.first_message_id ?? null) === null ? { ...channel, first_message_id: id } : channel,
  );
}

function withRecent(state: State, others: readonly number[], id: number): State {
  const { recentDirect } = state;
  if (recentDirect === undefined) return state;
  const key = others.join();
  const isIt = ({ user_ids: people }: RecentDirect): boolean => people.join() === key;
  const before = recentDirect.find(isIt)?.max_message_id ?? 0;
  const entry: RecentDirect = { max_message_id: Math.max(before, id), user_ids: others };
  const all = [...recentDirect.filter((one) => !isIt(one)), entry];
  return { ...state, recentDirect: all.sort((a, b) => b.max_message_id - a.max_message_id) };
}
