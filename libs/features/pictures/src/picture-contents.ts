import type { EventHandlers } from '#event-store';
import type { ContentSource, OwnedContent } from '#feature';
import type { AvatarChanged } from '#users/model';
import { PICTURE_SPACES } from './picture-spaces.js';
import type { BrandingChanged } from './model/branding/branding.events.js';
import type { EmojiAdded } from './model/emoji/custom-emoji.events.js';

/** The present picture of each user; a picture that was replaced is removed. */
const avatars: EventHandlers<AvatarChanged, [], OwnedContent> = {
  'user.avatar-changed.v1': ({ data: { userId, avatar } }) => ({
    owner: String(userId),
    hashes: avatar === null ? [] : [avatar.image, avatar.medium],
  }),
};

/** Emoji are kept for ever: where they were used, they stay. */
const emoji: EventHandlers<EmojiAdded, [], OwnedContent> = {
  'emoji.added.v1': ({ data: { emojiId, image, still } }) => ({
    owner: String(emojiId),
    hashes: still === undefined ? [image] : [image, still],
  }),
};

/** The present icon and logos. */
const branding: EventHandlers<BrandingChanged, [], OwnedContent> = {
  'organization.branding-changed.v1': ({ data: { kind, picture } }) => ({
    owner: kind,
    hashes: picture === null ? [] : [picture.image],
  }),
};

export const pictureContents: readonly ContentSource[] = [
  { space: PICTURE_SPACES.avatars, on: avatars },
  { space: PICTURE_SPACES.emoji, on: emoji },
  { space: PICTURE_SPACES.branding, on: branding },
];
