/** A topic that is renamed or moved as a whole takes its readers along. */
import { type RefObject, useEffect } from 'react';
import type { ServerEvent } from '#client';
import { words } from '../shared/words.js';
import { sayOfEvent } from './announcer.js';
import type { ComposerHandle } from './composer.js';
import { RESOLVED } from './conversation-head.js';
import { moveCaret } from './draft-keeper.js';
import { useChat } from './model/hooks.js';
import { type Place, placeKey, type TopicPlace } from './model/place.js';
import { hashOf, topicName } from './places.js';

/** Where a whole topic went; undefined for all other events. */
export function moveOf(event: ServerEvent): { readonly from: TopicPlace; readonly to: TopicPlace } | undefined {
  if (event.type !== 'update_message' || event['propagate_mode'] !== 'change_all') return undefined;
  const { stream_id: channelId, orig_subject: topic, new_stream_id: channelNow, subject: topicNow } = event;
  if (typeof channelId !== 'number' || typeof topic !== 'string') return undefined;
  const to = {
    channelId: typeof channelNow === 'number' ? channelNow : channelId,
    topic: typeof topicNow === 'string' ? topicNow : topic,
  };
  return { from: { kind: 'topic', channelId, topic }, to: { kind: 'topic', ...to } };
}

function toldOf(from: TopicPlace, to: TopicPlace): string {
  if (from.channelId === to.channelId && to.topic === RESOLVED + from.topic) return words.resolved;
  if (from.channelId === to.channelId && from.topic === RESOLVED + to.topic) return words.unresolved;
  return words.movedTo(topicName(to.topic));
}

/**
 * Leads to where the shown topic goes, with what is typed.
 * @param taken called before, with whether the reader was writing
 */
export function useMoves(
  place: Place | undefined,
  composer: RefObject<ComposerHandle | null>,
  taken: (to: TopicPlace, isTyping: boolean) => void,
): void {
  const chat = useChat();
  useEffect(
    () =>
      chat.onEvent((event) => {
        const move = moveOf(event);
        const state = chat.state();
        if (move === undefined || state === undefined || place === undefined) return;
        const { from, to } = move;
        const isKnown = state.allChannels.some(({ stream_id }) => stream_id === to.channelId);
        if (!isKnown || placeKey(from) !== placeKey(place)) return;
        composer.current?.keep();
        // Where the reader cannot write, a draft would be out of sight.
        if (state.channels.has(to.channelId) && chat.moveDraft(from, to)) moveCaret(from, to);
        taken(to, document.activeElement instanceof HTMLTextAreaElement);
        location.replace(hashOf(to, state));
        sayOfEvent(toldOf(from, to), to);
      }),
    [chat, place === undefined ? '' : placeKey(place)],
  );
}
