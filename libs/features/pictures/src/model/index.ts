export type { BrandingChanged } from './branding/branding.events.js';
export { BRANDING_KINDS, brandingAddress, wireBranding } from './branding/branding.js';
export { customEmojiPart } from './emoji/custom-emoji.part.js';
export {
  type AllCustomEmoji,
  type CustomEmoji,
  NO_CUSTOM_EMOJI,
  customEmojiByCode,
  emojiAddress,
} from './emoji/custom-emoji.js';
export {
  EmojiTypeSchema,
  EXTRA_EMOJI_TYPES,
  ExtraEmojiType,
  type ExtraEmojiTypeName,
  reactionTypeOf,
} from './emoji/extra-emoji.js';
export { brandingPart } from './branding/branding.part.js';
export { picturePath } from './picture-path.js';
