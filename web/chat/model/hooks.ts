import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { State } from '#client';
import type { Chat } from './chat.js';
import type { ChatState, RowState } from './chat-state.js';
import type { MessageWindow, WindowState } from './message-window.js';
import { narrowKey, routeOf, type Route, type Term } from './narrow.js';

export const ChatContext = createContext<Chat | undefined>(undefined);

export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === undefined) throw new Error('Nobody is signed in here.');
  return chat;
}

/** The state of the model. Only where the registration is done. */
export function useChatState(): ChatState {
  const chat = useChat();
  const state = useSyncExternalStore(chat.subscribe, chat.state);
  if (state === undefined) throw new Error('There is no state yet.');
  return state;
}

/** What rows show of the state: the same while that stays, so that they are not drawn again for the rest. */
export function useRowState(): RowState {
  const { people, channels, meId, statuses, pictures, playgrounds } = useChatState();
  return useMemo(
    () => ({ people, channels, meId, statuses, pictures, playgrounds }),
    [people, channels, meId, statuses, pictures, playgrounds],
  );
}

/** All that the server has told. Only where the registration is done. */
export function useModel(): State {
  const chat = useChat();
  const model = useSyncExternalStore(chat.subscribe, chat.model);
  if (model === undefined) throw new Error('There is no state yet.');
  return model;
}

/** @param near message that has to be in the window */
export function useWindow(terms: readonly Term[], near: number | undefined): readonly [MessageWindow, WindowState] {
  const chat = useChat();
  const key = narrowKey(terms);
  const [window, setWindow] = useState(() => chat.window(terms, near));
  useEffect(() => {
    const looked = chat.window(terms, near);
    setWindow(looked);
    return looked.look();
    // The key stands for the terms, which are made anew at each draw.
  }, [chat, key, near]);
  const current = window.key === key ? window : chat.window(terms, near);
  return [current, useSyncExternalStore(chat.subscribe, () => current.state)];
}

/** Where the reader is, by the address. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(onHash, () => location.hash);
  return routeOf(hash);
}

function onHash(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
