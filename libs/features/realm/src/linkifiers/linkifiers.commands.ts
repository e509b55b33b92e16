import type { ByActor, RequestOf } from '#users/model';

interface Definition {
  /** In the syntax of RE2 with named groups: `#(?P<id>[0-9]+)`. */
  readonly pattern: string;
  /** A URL template after RFC 6570 over the named groups. */
  readonly urlTemplate: string;
}

export type LinkifierCommand = ByActor &
  (
    | (Definition & { readonly type: 'add-linkifier' })
    | (Definition & { readonly type: 'change-linkifier'; readonly linkifierId: number })
    | { readonly type: 'remove-linkifier'; readonly linkifierId: number }
    /** Names each linkifier once. */
    | { readonly type: 'reorder-linkifiers'; readonly linkifierIds: readonly number[] }
  );

export type LinkifierRequest = RequestOf<LinkifierCommand>;
