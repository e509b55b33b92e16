import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** SHA-256 of content in the store of files, hexadecimal. */
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
/** Who did it, and when in seconds since the epoch. */
const Done = { by: Id, at: Type.Integer() };

export const emojiAdded = organizationEvent(
  'emoji.added.v1',
  exactly({
    emojiId: Id,
    name: Type.String(),
    image: Hash,
    format: Type.Union([Type.Literal('png'), Type.Literal('gif'), Type.Literal('webp')]),
    /** A PNG image, when the emoji moves. */
    still: Type.Optional(Hash),
    ...Done,
  }),
);

/** Nobody can use the emoji from now on. Where it was used, it stays. */
export const emojiDeactivated = organizationEvent('emoji.deactivated.v1', exactly({ emojiId: Id, ...Done }));

export const customEmojiEventTypes = [emojiAdded, emojiDeactivated] as const;

export type EmojiAdded = EventOf<typeof emojiAdded>;
export type CustomEmojiEvent = EventOf<(typeof customEmojiEventTypes)[number]>;
