export {
  lean,
  type MessagePage,
  type MessageRow,
  MessagesReader,
  PAGE_MAX,
  type SenderRow,
} from './existing/messages.reader.js';
export { Retention, type RetentionProgress } from './expire/retention.js';
export { MoveLock } from './existing/move-lock.js';
export { DIRECT, IN_CHANNELS, inTopic } from './existing/place-filters.js';
export { type SentData, SentMessages } from './existing/sent-messages.js';
export { SharedMoveLock } from './existing/shared-move-lock.js';
export { messages } from './messages.feature.js';
export { acceptContent } from './model/message-content.js';
export {
  DIRECT_RECIPIENTS_MAX,
  INTERNAL_CLIENT,
  MESSAGE_LENGTH_MAX,
  TOPIC_LENGTH_MAX,
} from './model/message-settings.js';
export { accessMessage, invalidMessage, located, mayReadMessage } from './model/message.access.js';
export {
  type ChannelPlace,
  type ContentEdit,
  type FileReference,
  givenWidgetShape,
  type MessageDeleted,
  type MessageEdited,
  type MessageEvent,
  messageEventTypes,
  type MessagesDeleted,
  type MessagesExpired,
  type MessageSent,
  type MessagesMoved,
  type Place,
  type ReactionAdded,
  type ReactionRemoved,
  type SubmessageAdded,
} from './model/messages.events.js';
export {
  channelConversation,
  conversationOf,
  directConversation,
  parseConversation,
  type ParsedConversation,
  placeOf,
  topicAfterMove,
  topicKeyOf,
} from './model/place.js';
export { type AskedEmoji, EXTRA_EMOJI, resolveEmoji } from './model/reaction-emoji.js';
export { formsOf, isResolution, isResolved, namedTopic, normalizeTopic } from './model/topic.js';
export { submessageIdOf, type Widget, widgetOfMessage } from './model/widget.js';
export { messageWords, senderWord, type Trait } from './projections/content-traits.js';
export {
  ARRIVALS_MAX,
  bytesOf,
  type EditEntry,
  EDITS_MAX,
  EVERYONE,
  type MessageDocument,
  messagesCollection,
  type ReactionEntry,
} from './projections/message.document.js';
export { messagesProjection, sentDocument } from './projections/messages.projection.js';
export { STOP_WORDS } from './projections/stop-words.js';
export { textsInHtml, unspacedRunsOf, wordsInHtml, wordsOf, wordsOfHtml } from './projections/words.js';
export { OwnHistory } from './react/own-history.js';
export { htmlOf } from './render/html.js';
export { RenderContentQuery } from './render/render-content.js';
export { AttachmentSchema, type ReferencedFile, ReferencedFiles } from './render/referenced-files.js';
export { type LookedUp, renderContent, renderWorldOf, withMentioned } from './render/render-world.js';
export { BotNotices, namesInNotice } from './send/bot-notices.js';
export { MessageSender, type SendRequest } from './send/message-sender.js';
export { givenWidget } from './submessages/widget-content.js';
export { allowsEmptyTopic, TopicLinksSchema, wireTopic, wireTopicLinks } from './wire/wire-topic.js';
