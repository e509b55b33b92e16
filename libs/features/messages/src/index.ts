export { archivedProjections, ArchivedMessages } from './archive/archived-messages.js';
export { ArchiveReaders } from './archive/archive-readers.js';
export { FileReferences, type ReferringMessage } from './fetch/file-references.js';
export { GetMessageQuery } from './fetch/get-message.js';
export { RecordedReferences } from './fetch/recorded-references.js';
export { HasNamedTopicsQuery } from './fetch/topics/has-named-topics.js';
export { MaxMessageIdQuery } from './fetch/max-message-id.js';
export { type ReadableMessage, ReadableMessages } from './fetch/readable-messages.js';
export { MarkRead } from './flags/mark-read.js';
export { NewcomerHistory } from './flags/newcomer-history.js';
export { messages } from './messages.feature.js';
export { MessagesModule } from './messages.module.js';
export { DIRECT_RECIPIENTS_MAX, INTERNAL_CLIENT, MESSAGE_LENGTH_MAX } from './model/message-settings.js';
export {
  type FileReference,
  type FlagsChanged,
  givenWidgetShape,
  type MessageDeleted,
  type MessageEdited,
  messageEventTypes,
  type MessagesDeleted,
  type MessageSent,
  type MessagesMoved,
} from './model/messages.events.js';
export { placeOf, topicKeyOf } from './model/place.js';
export { normalizeTopic } from './model/topic.js';
export { MoveLock } from './move/move-lock.js';
export { SharedMoveLock } from './move/shared-move-lock.js';
export { type AskedEmoji, EXTRA_EMOJI, resolveEmoji } from './react/reaction-emoji.js';
export { acceptContent } from './send/message-content.js';
export { MessageSender, type SendRequest } from './send/message-sender.js';
export { type ReferencedFile, ReferencedFiles } from './render/referenced-files.js';
export { givenWidget } from './submessages/widget-content.js';
export type { Widget } from './submessages/widget.js';
export { type WaitingMessage, WaitingMessages } from './unread/waiting-messages.js';
export { type LookedUp, renderContent, renderWorldOf, withMentioned } from './render/render-world.js';
export { htmlOf } from './render/html.js';
export { allowsEmptyTopic, wireTopic } from './wire/wire-topic.js';
