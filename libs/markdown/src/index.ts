export { isMeMessage, normalizeContent, truncateContent } from './content.js';
export { emojiByName, emojiNamesByCode } from './emoji.js';
export { escapeText, sourceHtml } from './html.js';
export { type ChannelLinkTarget, channelLinkPath, directLinkPath } from './links.js';
export { type Linkifier, linkifierProblem } from './linkifiers.js';
export { silentMention } from './mention-source.js';
export { isPlain, plainHtml } from './plain.js';
export { render, renderDescription } from './render.js';
export { type TopicLink, topicLinks } from './topic-links.js';
export type {
  MentionableChannel,
  MentionableGroup,
  MentionableUser,
  Mentions,
  Rendered,
  RenderWorld,
  UploadFacts,
} from './world.js';
