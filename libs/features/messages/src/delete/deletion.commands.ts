import type { MessageSettings } from '../model/message-settings.js';
import type { ToMessage } from '../model/message.commands.js';
import type { Mentioned } from '../model/mentioned-outside.js';
import type { ChannelPlace } from '../model/messages.events.js';

/** DELETE /messages/{id}. */
export interface DeleteMessage extends ToMessage {
  /** By the setting of the organization or the channel. */
  readonly mayDeleteAny: boolean;
  /** By the setting of the organization or the channel, for their own messages. */
  readonly mayDeleteOwn: boolean;
  /** The actor sent it, or owns the bot that did. */
  readonly isOwn: boolean;
  /** Position of its last arrival in another channel; undefined when it was never moved there. */
  readonly arrival: number | undefined;
  readonly mentioned: Mentioned;
  /** The oldest message left in the channel, null for none; undefined while its oldest one stays. */
  readonly firstLeft: number | null | undefined;
  readonly settings: MessageSettings;
}

/** Some of the messages of POST /streams/{id}/delete_topic that the actor sees. `messageId` is the first of them. */
export interface DeleteTopic extends Omit<ToMessage, 'sent' | 'place'> {
  readonly place: ChannelPlace;
  readonly mayDeleteAny: boolean;
  /** Ascending, with the position of the last arrival of each in another channel, if any. */
  readonly messages: readonly { readonly id: number; readonly arrival: number | undefined }[];
  readonly mentioned: Mentioned;
  readonly firstLeft: number | null | undefined;
}
