import type { ReferencedFile } from '#messages';

/** A person or bot of another system. Times are in seconds since the epoch. */
export interface TranslatedUser {
  /** Identity in the other system. */
  readonly key: string;
  readonly names: readonly string[];
  readonly email: string;
  readonly role: number;
  readonly isBot: boolean;
  readonly isActive: boolean;
  readonly timezone: string;
  /** Key of the person who owns the bot; the owner of the organization for that of a guest and when absent. */
  readonly botOwnerKey?: string | undefined;
}

export interface TranslatedChannel {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly isArchived: boolean;
  readonly memberKeys: readonly string[];
  readonly creatorKey: string | undefined;
  readonly at: number;
}

/** A file that the server keeps, for the message that refers to it. */
export interface KeptFile {
  /** Address in Markdown, after `/user_uploads/`. */
  readonly pathId: string;
  readonly name: string;
  readonly file: ReferencedFile;
}

export interface TranslatedMessage {
  readonly senderId: number;
  readonly place: { readonly channelId: number; readonly topic: string } | { readonly to: readonly number[] };
  /** Markdown. */
  readonly content: string;
  readonly at: number;
  /** In their order; `at` is the time of the message where no other is known. */
  readonly reactions: readonly { readonly emoji: string; readonly userId: number; readonly at?: number }[];
  /** The last edit; no other system tells what the message said before. */
  readonly edited?: { readonly by: number; readonly at: number } | undefined;
  /** Files of the message, which are linked below its content. */
  readonly files?: readonly KeptFile[];
  readonly starredBy?: readonly number[];
}
