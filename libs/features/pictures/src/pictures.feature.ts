import { defineFeature } from '#feature';
import { EmojiClientEvents } from './emoji/emoji.client-events.js';
import { EmojiFields } from './emoji/emoji.fields.js';
import { pictureContents } from './picture-contents.js';
import { PicturesModule } from './pictures.module.js';
import { PictureCleaner } from './clean-up/picture-cleaner.js';
import { customEmojiPart } from './model/emoji/custom-emoji.part.js';
import { brandingPart } from './model/branding/branding.part.js';

/** Pictures that are uploaded for users and the organization. Their events are those of the organization. */
export const pictures = defineFeature({
  name: 'pictures',
  directory: [brandingPart, customEmojiPart],
  contents: pictureContents,
  clientEvents: [EmojiClientEvents],
  work: [PictureCleaner],
  register: [EmojiFields],
  module: PicturesModule,
});
