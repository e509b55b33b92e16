/** Notifications of the desktop: once, and not of what the reader is looking at. */
import { textOf } from '../shared/rendered-html.js';
import type { ChatState } from './model/chat-state.js';
import { routeOf } from './model/narrow.js';
import { placeKey, placeOfMessage, placeOfTerms } from './model/place.js';
import type { Message } from './model/wire.js';
import { hashOf, placeName } from './places.js';
import { counts } from './unread-counts.js';

const BODY_LENGTH_MAX = 200;

/** The tab that notifies holds this lock; others take over when it closes. */
const LOCK = 'scrollback-notifier';
let isChosen = false;

export function standForNotifier(): void {
  // Missing on plain http from another host: then each tab notifies, and the browser shows one by its tag.
  if (!('locks' in navigator)) {
    isChosen = true;
    return;
  }
  void navigator.locks.request(LOCK, async () => {
    isChosen = true;
    await new Promise(() => undefined);
  });
}

export const mayAsk = (): boolean => 'Notification' in globalThis && Notification.permission === 'default';

export function notify(message: Message, state: ChatState): void {
  if (!isChosen || !('Notification' in globalThis) || Notification.permission !== 'granted') return;
  if (!isWorthIt(message, state) || isInView(message, state)) return;
  const place = placeOfMessage(message, state.meId);
  const isShown = place.kind === 'topic' || state.settings.pm_content_in_desktop_notifications;
  const shown = new Notification(`${message.sender_full_name}, ${placeName(state, place)}`, {
    ...(isShown ? { body: textOf(message.content).slice(0, BODY_LENGTH_MAX) } : {}),
    tag: `message-${message.id}`,
  });
  shown.onclick = () => {
    window.focus();
    location.hash = hashOf(place, state, message.id);
    shown.close();
  };
}

/** Direct messages, mentions, alert words, followed topics and channels, as the reader has set them and unless they are muted. */
function isWorthIt(message: Message, state: ChatState): boolean {
  const { sender_id, flags } = message;
  const { settings } = state;
  if (sender_id === state.meId || flags.includes('read')) return false;
  const place = placeOfMessage(message, state.meId);
  const key = placeKey(place);
  const isFollowed = state.topicPolicies.get(key) === 3;
  const isForAll =
    flags.some((flag) => flag.endsWith('wildcard_mentioned')) &&
    (settings.wildcard_mentions_notify || (isFollowed && settings.enable_followed_topic_wildcard_mentions_notify));
  const isMention = isForAll || flags.includes('mentioned') || flags.includes('has_alert_word');
  if (isMention && settings.enable_desktop_notifications) return true;
  if (!counts(state, key, { place, count: 1, mentions: 0, latestId: message.id })) return false;
  if (place.kind === 'direct') return settings.enable_desktop_notifications;
  const ofChannel = state.channels.get(place.channelId)?.desktop_notifications;
  return (
    (ofChannel ?? settings.enable_stream_desktop_notifications) ||
    (isFollowed && settings.enable_followed_topic_desktop_notifications)
  );
}

function isInView(message: Message, { meId }: ChatState): boolean {
  if (!document.hasFocus()) return false;
  const route = routeOf(location.hash);
  const open = route.view === 'narrow' ? placeOfTerms(route.terms, meId) : undefined;
  return open !== undefined && placeKey(open) === placeKey(placeOfMessage(message, meId));
}
