export type SnippetRequest =
  | { readonly type: 'add-snippet'; readonly title: string; readonly content: string }
  | {
      readonly type: 'change-snippet';
      readonly snippetId: number;
      /** Stays when undefined. */
      readonly title: string | undefined;
      /** Stays when undefined. */
      readonly content: string | undefined;
    }
  | { readonly type: 'remove-snippet'; readonly snippetId: number };

/** @property at seconds since the epoch */
export type SnippetCommand = SnippetRequest & { readonly userId: number; readonly at: number };
