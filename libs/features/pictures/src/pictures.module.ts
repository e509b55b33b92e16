import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AvatarImages } from './avatars/avatar-images.js';
import { AvatarRedirectController } from './avatars/avatar-redirect.controller.js';
import { ChangeAvatarHandler } from './avatars/change-avatar.js';
import { OwnAvatarController } from './avatars/own-avatar.controller.js';
import { BrandingController } from './branding/branding.controller.js';
import { ChangeBrandingHandler } from './branding/change-branding.js';
import { PictureCleaner } from './clean-up/picture-cleaner.js';
import { AddEmojiHandler, DeactivateEmojiHandler } from './emoji/change-emoji.js';
import { EmojiClientEvents } from './emoji/emoji.client-events.js';
import { EmojiController } from './emoji/emoji.controller.js';
import { EmojiFields } from './emoji/emoji.fields.js';
import { EmojiImages } from './emoji/emoji-images.js';
import { PicturesController } from './serve/pictures.controller.js';

/** Uploaded pictures: of users, of the organization, and custom emoji. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [AvatarRedirectController, BrandingController, EmojiController, OwnAvatarController, PicturesController],
  providers: [
    AddEmojiHandler,
    AvatarImages,
    ChangeAvatarHandler,
    ChangeBrandingHandler,
    DeactivateEmojiHandler,
    EmojiClientEvents,
    EmojiFields,
    EmojiImages,
    PictureCleaner,
  ],
  exports: [AvatarImages, EmojiClientEvents, EmojiFields, PictureCleaner],
})
export class PicturesModule {}
