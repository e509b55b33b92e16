import type { Client } from '../client.js';
import type { Outcome } from '../session/transport.js';
import type { Selected } from '../store/store.js';
import type { NarrowTerm } from '../wire/types.js';
import { isStale, type Reach } from './fetching.js';
import { isSameView, NOTHING, type View, viewOf } from './view.js';
import { narrowKey, type Refused } from './windows.js';

/** The messages of a narrow as they are followed. */
export interface FollowedView extends View {
  /** Whether they are being fetched: what is there is of before. */
  readonly isFetching: boolean;
  /** Why the last fetch was refused: the messages may be none of the reader's any more, and go. */
  readonly refused: Refused | undefined;
}

/** A conversation that is followed: tells each change of its messages. */
export interface Followed extends Selected<FollowedView> {
  /** Fetches what is before the first message, or after the last one. @returns the refusal */
  more(side: 'older' | 'newer', count?: number): Promise<Outcome | undefined>;
  /** Ends to follow it. What it shows stays, and others that follow it go on. */
  end(): void;
}

/**
 * Follows a narrow: fetches it, again when only the server can tell what is in it, and after each recovery, until `end`. A client
 * follows 20 narrows at a time; the one that was begun first is then no longer fetched.
 */
export function follow(client: Client, narrow: readonly NarrowTerm[], reach: Reach): Followed {
  const at = typeof reach.anchor === 'number' ? reach.anchor : undefined;
  const looker = {};
  let isEnded = false;
  let last = NOTHING;
  const selected = client.store.select(({ windows }): FollowedView => {
    const window = windows.windows[narrowKey(narrow)];
    const isFetching = isStale(window);
    // While it is fetched again there is nothing, or only a part of it.
    if (window?.refused !== undefined) last = NOTHING;
    else if (window !== undefined && !isFetching) last = viewOf(windows, narrow, at);
    return { ...last, isFetching, refused: window?.refused };
  }, isSame);
  client.lookAt(narrow, reach, looker);
  return {
    ...selected,
    more: async (side, count) => {
      const { messages } = selected.get();
      const from = side === 'older' ? messages[0] : messages.at(-1);
      if (from === undefined) return undefined;
      const refused = await client.more(narrow, from.id, side, count, looker);
      // When it has to be fetched again, it is where it was.
      if (!isEnded) client.lookAt(narrow, reach, looker);
      return refused;
    },
    end: () => {
      isEnded = true;
      client.close(narrow, looker);
    },
  };
}

function isSame(a: FollowedView, b: FollowedView): boolean {
  return a.isFetching === b.isFetching && a.refused === b.refused && isSameView(a, b);
}
