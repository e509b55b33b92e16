import type { Draft } from './drafts.events.js';

/** A draft as a client writes it, checked and normalized. */
export type DraftContent = Omit<Draft, 'draftId'>;

interface Common {
  /** Owner of the drafts. */
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}

interface ByClient extends Common {
  /** The user's setting `enable_drafts_synchronization`. */
  readonly isSynchronized: boolean;
}

export type DraftCommand =
  | (ByClient & { readonly type: 'add-drafts'; readonly drafts: readonly DraftContent[] })
  | (ByClient & { readonly type: 'change-draft'; readonly draftId: number; readonly draft: DraftContent })
  | (ByClient & { readonly type: 'remove-draft'; readonly draftId: number })
  | (Common & {
      readonly type: 'erase-drafts';
      /** Erases drafts that were added at this second or earlier. */
      readonly addedUntil: number;
    });
