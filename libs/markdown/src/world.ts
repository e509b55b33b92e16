import type { Linkifier } from './linkifiers.js';

/**
 * Everything that rendering needs to know about the organization: pure, synchronous lookups, given by the caller.
 * Names are matched by the caller (case, ambiguity); `undefined` means "not a mention", and the source stays as text.
 */
export interface RenderWorld {
  /** Origin of the server without a trailing slash, `https://chat.example.com`: absolute links to it become root-relative. */
  readonly realmUrl: string;
  /** The one user with this full name; `undefined` when there is none, or more than one. */
  userByName(name: string): MentionableUser | undefined;
  userById(id: number): MentionableUser | undefined;
  groupByName(name: string): MentionableGroup | undefined;
  /** A channel that the author may know of. */
  channelByName(name: string): MentionableChannel | undefined;
  /** The newest message of a topic that links to the topic should open at. */
  latestMessageId?(channelId: number, topic: string): number | undefined;
  /** Shown for the topic `""`; `general chat` by default. */
  readonly emptyTopicName?: string;
  /** An active custom or built-in extra emoji. Custom emoji shadow Unicode ones of the same name. */
  customEmoji?(name: string): { readonly url: string } | undefined;
  /** What is known about an uploaded file, by the part of its path behind `/user_uploads/`. */
  upload?(pathId: string): UploadFacts | undefined;
  readonly linkifiers?: readonly Linkifier[];
  /** Language of code fences that name none. */
  readonly defaultCodeLanguage?: string;
  /** Whether the author wants `:)` and friends turned into emoji. */
  readonly translateEmoticons?: boolean;
}

export interface MentionableUser {
  readonly id: number;
  readonly fullName: string;
}

export interface MentionableGroup {
  readonly id: number;
  /** The name to display. */
  readonly name: string;
  /** System groups are only ever mentioned silently. */
  readonly isSystem: boolean;
}

export interface MentionableChannel {
  readonly id: number;
  readonly name: string;
}

export interface UploadFacts {
  /** Decides what the file is shown as; by its name when absent. */
  readonly contentType?: string;
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
  /** The original is shown without one. */
  readonly thumbnailUrl?: string;
  /** Whether the picture moves. */
  readonly animated?: boolean;
}

export interface Rendered {
  /** HTML, sanitized by construction; `""` for empty content. */
  readonly html: string;
  /** True when `html` is exactly what `plainHtml(content)` gives, so that it need not be stored. */
  readonly plain: boolean;
  readonly mentions: Mentions;
  /** Whether there is a link other than to a channel, topic or message by its `#**…**` syntax. */
  readonly hasLink: boolean;
  /** Whether an image is shown or linked. */
  readonly hasImage: boolean;
  /** Whether an uploaded file is referenced. */
  readonly hasAttachment: boolean;
  /** Uploaded files referenced, by the part of their path behind `/user_uploads/`; each once, in order. */
  readonly uploads: readonly string[];
  readonly isMeMessage: boolean;
  /** The text outside code, math and links, for matching alert words. */
  readonly textForAlertWords: string;
}

/** Who is mentioned; each ID once. What is silent, or stands in a quote, is in the silent lists only and notifies nobody. */
export interface Mentions {
  readonly users: readonly number[];
  readonly silentUsers: readonly number[];
  readonly groups: readonly number[];
  readonly silentGroups: readonly number[];
  /** `@**all**`, `everyone`, `stream` or `channel`. */
  readonly channelWildcard: boolean;
  readonly topicWildcard: boolean;
}
