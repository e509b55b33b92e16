import type { ByActor, RequestOf } from '#users/model';

export type PlaygroundCommand = ByActor &
  (
    | {
        readonly type: 'add-playground';
        readonly name: string;
        readonly pygmentsLanguage: string;
        /** A URL template (RFC 6570) over `code`. */
        readonly urlTemplate: string;
      }
    | { readonly type: 'remove-playground'; readonly playgroundId: number }
  );

export type PlaygroundRequest = RequestOf<PlaygroundCommand>;
