import { badRequest, excerpt, Refusal, unreachable } from '#kernel';
import { emojiByName } from '#markdown';
import type { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import { ROLE, type User } from '#users/model';
import { EXTRA_EMOJI } from '#messages';
import { presentActor } from '#users';
import type { EmojiCommand } from './emoji.commands.js';
import type { CustomEmojiEvent } from '../model/emoji/custom-emoji.events.js';
import { customEmojiPart } from '../model/emoji/custom-emoji.part.js';

/** All of them, deactivated ones included, go to every client that registers. */
export const CUSTOM_EMOJI_MAX = 5_000;

/** As long as the name of an emoji in a message can be. */
const EMOJI_NAME_LENGTH_MAX = 100;

/**
 * The organization's custom emoji (endpoints.md §12, /realm/emoji), at the revision of the organization's stream.
 * @throws Refusal BAD_REQUEST, NOT_FOUND, USER_DEACTIVATED
 */
export function decideEmoji(directory: Directory, command: EmojiCommand): readonly CustomEmojiEvent[] {
  const actor = presentActor(directory, command.actorId);
  const customEmoji = directory.of(customEmojiPart);
  const done = { by: actor.userId, at: command.at };
  switch (command.type) {
    case 'add-emoji': {
      const name = assertMayAddEmoji(directory, actor, command.name);
      const emojiId = customEmoji.inOrder.length + 1;
      return [{ type: 'emoji.added.v1', data: { emojiId, name, ...command.picture, ...done } }];
    }
    case 'deactivate-emoji': {
      const name = normalized(command.name);
      const emoji = customEmoji.byName.get(name);
      if (emoji === undefined) throw new Refusal('NOT_FOUND', `Emoji '${excerpt(name)}' does not exist`);
      if (actor.role > ROLE.administrator && emoji.authorId !== actor.userId)
        throw badRequest('Must be an organization administrator or emoji author');
      return [{ type: 'emoji.deactivated.v1', data: { emojiId: emoji.emojiId, ...done } }];
    }
    default:
      return unreachable(command);
  }
}

/**
 * Checks all but the picture.
 * @returns the name of the emoji
 * @throws Refusal BAD_REQUEST
 */
export function assertMayAddEmoji(directory: Directory, actor: User, asked: string): string {
  if (!holdsRealmPermission(directory, actor, 'can_add_custom_emoji_group'))
    throw badRequest('Insufficient permission');
  const name = normalized(asked);
  if (name === '') throw badRequest('Emoji name is missing');
  if (name.length > EMOJI_NAME_LENGTH_MAX)
    throw badRequest(`Emoji name is too long (limit: ${EMOJI_NAME_LENGTH_MAX} characters)`);
  if (!/^[a-z0-9_-]+$/.test(name))
    throw badRequest(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    );
  if (!/[a-z0-9]$/.test(name)) throw badRequest('Emoji names must end with either a letter or digit.');
  const { inOrder, byName } = directory.of(customEmojiPart);
  if (byName.has(name)) throw badRequest('A custom emoji with this name already exists.');
  const isBuiltIn = emojiByName(name) !== undefined || EXTRA_EMOJI.has(name);
  if (isBuiltIn && actor.role > ROLE.administrator) throw badRequest('Only administrators can override default emoji.');
  if (inOrder.length >= CUSTOM_EMOJI_MAX)
    throw badRequest(`There are too many custom emoji (limit: ${CUSTOM_EMOJI_MAX})`);
  return name;
}

function normalized(asked: string): string {
  return asked.trim().replaceAll(' ', '_');
}
