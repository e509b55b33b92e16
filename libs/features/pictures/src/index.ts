export { AvatarImages } from './avatars/avatar-images.js';
export { MIB_BYTES } from './upload-limits.js';
export { decideEmoji } from './emoji/emoji.decider.js';
export type { EmojiPicture } from './emoji/emoji.commands.js';
export { EmojiImages } from './emoji/emoji-images.js';
export { pictures } from './pictures.feature.js';
