import { type Decider, unreachable } from '#kernel';
import type { ZoomAccountEvent } from './zoom-account.events.js';

/** @property at seconds since the epoch */
export type ZoomAccountCommand = { readonly userId: number; readonly at: number } & (
  | { readonly type: 'connect'; readonly tokens: string }
  /** Nothing happens unless the tokens are still those of `before`. */
  | { readonly type: 'refresh'; readonly before: string; readonly tokens: string }
  | { readonly type: 'disconnect'; readonly before: string }
);

interface ZoomAccount {
  /** Encrypted; null without an account. */
  tokens: string | null;
}

/** A user's account at Zoom, in their `zoom-{id}` stream. */
export const zoomAccountDecider: Decider<ZoomAccount, ZoomAccountCommand, ZoomAccountEvent> = {
  initial: () => ({ tokens: null }),
  decide(state, command) {
    const { userId, at } = command;
    switch (command.type) {
      case 'connect':
        return [{ type: 'zoom-account.connected.v1', data: { userId, tokens: command.tokens, at } }];
      case 'refresh':
        if (state.tokens !== command.before) return [];
        return [{ type: 'zoom-account.refreshed.v1', data: { userId, tokens: command.tokens, at } }];
      case 'disconnect':
        if (state.tokens !== command.before) return [];
        return [{ type: 'zoom-account.disconnected.v1', data: { userId, at } }];
      default:
        return unreachable(command);
    }
  },
  evolve(state, event) {
    state.tokens = event.type === 'zoom-account.disconnected.v1' ? null : event.data.tokens;
    return state;
  },
};
