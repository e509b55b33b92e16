import type { ByActor, RequestOf } from '#users/model';

/** `domain` is as it was written. */
export type DomainCommand = ByActor & { readonly domain: string } & (
    | { readonly type: 'add-domain' | 'change-domain'; readonly allowSubdomains: boolean }
    | { readonly type: 'remove-domain' }
  );

export type DomainRequest = RequestOf<DomainCommand>;
