import type { User } from '#organization';

interface Common {
  readonly actor: User;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** `domain` is as it was written. */
export type DomainCommand = Common & { readonly domain: string } & (
    | { readonly type: 'add-domain' | 'change-domain'; readonly allowSubdomains: boolean }
    | { readonly type: 'remove-domain' }
  );

/** What is asked for, without who asks and when. */
export type DomainRequest = DomainCommand extends infer Command
  ? Command extends DomainCommand
    ? Omit<Command, keyof Common>
    : never
  : never;
