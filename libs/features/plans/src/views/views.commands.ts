export type ViewRequest =
  | {
      readonly type: 'add-view';
      readonly fragment: string;
      readonly isPinned: boolean;
      readonly name: string | undefined;
    }
  | {
      readonly type: 'change-view';
      readonly fragment: string;
      /** Stays when undefined. */
      readonly isPinned: boolean | undefined;
      /** Stays when undefined. */
      readonly name: string | undefined;
    }
  | { readonly type: 'remove-view'; readonly fragment: string };

/** @property at seconds since the epoch */
export type ViewCommand = ViewRequest & { readonly userId: number; readonly at: number };
