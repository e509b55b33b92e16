import { defineFeature } from '#feature';
import { AvatarImages } from './avatars/avatar-images.js';
import { AvatarRedirectController } from './avatars/avatar-redirect.controller.js';
import { changeAvatar } from './avatars/change-avatar.js';
import { OwnAvatarController } from './avatars/own-avatar.controller.js';
import { BrandingController } from './branding/branding.controller.js';
import { changeBranding } from './branding/change-branding.js';
import { PictureCleaner } from './clean-up/picture-cleaner.js';
import { addEmoji, deactivateEmoji } from './emoji/change-emoji.js';
import { EmojiImages } from './emoji/emoji-images.js';
import { EmojiClientEvents } from './emoji/emoji.client-events.js';
import { EmojiController } from './emoji/emoji.controller.js';
import { EmojiFields } from './emoji/emoji.fields.js';
import { brandingPart } from './model/branding/branding.part.js';
import { customEmojiPart } from './model/emoji/custom-emoji.part.js';
import { pictureContents } from './picture-contents.js';
import { PicturesController } from './serve/pictures.controller.js';
import { emojiEventSchemas, emojiFieldSchemas } from './emoji/wire-emoji.js';

/** Pictures that are uploaded for users and the organization. Avatars are events of users. */
export const pictures = defineFeature({
  name: 'pictures',
  directory: [brandingPart, customEmojiPart],
  contents: pictureContents,
  clientEvents: [EmojiClientEvents],
  eventSchemas: [emojiEventSchemas],
  work: [PictureCleaner],
  register: [EmojiFields],
  registerSchemas: [emojiFieldSchemas],
  commands: [addEmoji, changeAvatar, changeBranding, deactivateEmoji],
  controllers: [AvatarRedirectController, BrandingController, EmojiController, OwnAvatarController, PicturesController],
  providers: [AvatarImages, EmojiImages],
});
