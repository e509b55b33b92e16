import type { Linkifier } from './links/linkifiers.js';

/**
 * The organization as rendering sees it: pure, synchronous lookups, provided by the caller. The caller matches names
 * (case, ambiguity); `undefined` means "not a mention", and the source stays text.
 */
export interface RenderWorld {
  /** Origin of the server without a trailing slash, `https://chat.example.com`: absolute links to it become root-relative. */
  readonly realmUrl: string;
  /** The only user with this full name; `undefined` when there is none, or more than one. */
  userByName(name: string): MentionableUser | undefined;
  userById(id: number): MentionableUser | undefined;
  groupByName(name: string): MentionableGroup | undefined;
  /** A channel that the author may know of. */
  channelByName(name: string): MentionableChannel | undefined;
  /** The newest message of a topic, at which a link to the topic opens. */
  latestMessageId?(channelId: number, topic: string): number | undefined;
  /** Shown for the topic `""`; `general chat` by default. */
  readonly emptyTopicName?: string;
  /** An active custom or built-in extra emoji. Custom emoji shadow Unicode ones of the same name. */
  customEmoji?(name: string): { readonly url: string } | undefined;
  /**
   * Properties of an uploaded file, by its path after `/user_uploads/`; undefined for what is none, which is an ordinary
   * link. Without this lookup every such path counts as that of a file.
   */
  upload?(pathId: string): UploadMetadata | undefined;
  /** Whether uploaded pictures, sounds and videos, and videos of other hosts, are shown in place; they are links when false. */
  readonly inlinePreviews?: boolean;
  readonly linkifiers?: readonly Linkifier[];
  /** Language of code fences without one. */
  readonly defaultCodeLanguage?: string;
  /** Whether the author wants `:)` and the like turned into emoji. */
  readonly translateEmoticons?: boolean;
}

export interface MentionableUser {
  readonly id: number;
  readonly fullName: string;
  /** Mentions of a deactivated user are always silent. */
  readonly isDeactivated?: boolean;
}

export interface MentionableGroup {
  readonly id: number;
  /** The name to display. */
  readonly name: string;
  /** Mentions of system groups are shown as silent ones; one that is not meant so is listed in `Mentions.groups` nevertheless. */
  readonly isSystem: boolean;
}

export interface MentionableChannel {
  readonly id: number;
  readonly name: string;
}

export interface UploadMetadata {
  /** Determines how the file is shown; by its name when absent. */
  readonly contentType?: string;
  /** In pixels. */
  readonly width?: number;
  readonly height?: number;
  /** The original is shown without one. */
  readonly thumbnailUrl?: string;
  /** Whether the picture is animated. */
  readonly animated?: boolean;
}

export interface Rendered {
  /** HTML, sanitized by construction; `""` for empty content. */
  readonly html: string;
  /** True when `html` equals `plainHtml(content)`, so that it need not be stored. */
  readonly plain: boolean;
  readonly mentions: Mentions;
  /** Whether there is a link other than to a channel, topic or message by the `#**…**` syntax. */
  readonly hasLink: boolean;
  /** Whether an image is shown or linked. */
  readonly hasImage: boolean;
  /** Whether an uploaded file is referenced. */
  readonly hasAttachment: boolean;
  /** Referenced uploaded files, by their path after `/user_uploads/`; each once, in order. */
  readonly uploads: readonly string[];
  readonly isMeMessage: boolean;
  /** The text outside code, math and links, for matching alert words. */
  readonly textForAlertWords: string;
}

/**
 * Mentioned users and groups; each ID once. Mentions that are silent or inside a quote are only in the silent lists and
 * notify nobody.
 */
export interface Mentions {
  readonly users: readonly number[];
  readonly silentUsers: readonly number[];
  readonly groups: readonly number[];
  readonly silentGroups: readonly number[];
  /** `@**all**`, `everyone`, `stream` or `channel`. */
  readonly channelWildcard: boolean;
  readonly topicWildcard: boolean;
}
