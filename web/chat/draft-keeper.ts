import { useMemo } from 'react';
import { keepLooseDraft, looseDraft } from './drafts.js';
import type { Chat } from './model/chat.js';
import { useChat } from './model/hooks.js';
import { type Place, placeKey } from './model/place.js';

export interface Typed {
  readonly content: string;
  /** Topic, where the conversation has none yet. */
  readonly topic: string;
  readonly caret: number;
}

/** Where the text of a composer is kept. */
export interface DraftKeeper {
  /** Stands for the conversation, or the channel. */
  readonly key: string;
  readonly get: () => Typed | undefined;
  readonly set: (typed: Typed) => void;
}

/** Where the caret was, while the page lives. */
const carets = new Map<string, number>();

/** The caret goes along with a draft. */
export function moveCaret(from: Place, to: Place): void {
  const caret = carets.get(placeKey(from));
  if (caret !== undefined) carets.set(placeKey(to), caret);
}

function keeperOf(chat: Chat, place: Place | undefined, channelId: number): DraftKeeper {
  const { meId } = chat;
  if (place === undefined)
    return {
      key: String(channelId),
      get: () => looseDraft(meId, channelId),
      set: (typed) => keepLooseDraft(meId, channelId, { ...typed, atMs: Date.now() }),
    };
  const key = placeKey(place);
  return {
    key,
    get: () => {
      const content = chat.draftOf(place);
      return content === '' ? undefined : { content, topic: '', caret: carets.get(key) ?? content.length };
    },
    set: ({ content, caret }) => {
      carets.set(key, caret);
      chat.keepDraft(place, content);
    },
  };
}

export function useDraftKeeper(place: Place | undefined, channelId: number): DraftKeeper {
  const chat = useChat();
  const key = place === undefined ? String(channelId) : placeKey(place);
  return useMemo(() => keeperOf(chat, place, channelId), [chat, key]);
}
