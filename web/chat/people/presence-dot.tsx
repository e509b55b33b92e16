import { type ReactNode, useSyncExternalStore } from 'react';
import { words } from '../../shared/words.js';
import { useChat } from '../model/hooks.js';
import type { Presence } from '../model/presence.js';
import classes from './people.module.css';

export function usePresence(userId: number): Presence | undefined {
  const chat = useChat();
  return useSyncExternalStore(chat.subscribe, () => chat.presences.all().get(userId));
}

/** Whether somebody is there: a disc when they are, a ring when they are away, and nothing otherwise. */
export function PresenceDot({ userId }: { readonly userId: number }): ReactNode {
  const kind = usePresence(userId)?.kind;
  if (kind === undefined || kind === 'offline') return null;
  return (
    <span className={classes['dot']} data-kind={kind} title={words.presence[kind]}>
      <span className="aloud">{words.presence[kind]}</span>
    </span>
  );
}
