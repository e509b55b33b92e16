import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import { badRequest, Refusal } from '#kernel';
import { type AskedEmoji, resolveEmoji } from '#messages';
import { Directory } from '#people';
import { ROLE, type User } from '#users/model';
import { type AllCustomEmoji, customEmojiPart } from '#pictures/model';
import { statusDecider } from '../model/status.decider.js';
import type { StatusEmoji } from '../model/status.js';

/** What a request says of a status. Undefined stays as it is; an empty text or name of an emoji removes it. */
export interface AskedStatus {
  readonly text: string | undefined;
  readonly emoji: AskedEmoji;
  readonly isAway: boolean | undefined;
}

/** Sets one's own status, or, as an administrator, that of another person. */
export class SetStatusCommand extends Command<void> {
  constructor(
    readonly actor: User,
    /** Undefined for the actor's own. */
    readonly userId: number | undefined,
    readonly asked: AskedStatus,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST, UNAUTHORIZED_PRINCIPAL */
export const setStatus = command(
  SetStatusCommand,
  { directory: Directory },
  ({ actor, userId: asked, asked: { text, emoji, isAway } }, { directory }) => {
    const { userId } = asked === undefined ? ownAccount(actor) : otherAccount(directory, actor, asked);
    const emojiNow = askedEmoji(emoji, directory.of(customEmojiPart));
    if (text === undefined && emojiNow === undefined && isAway === undefined)
      throw badRequest('Client did not pass any new values.');
    const status = { type: 'set-status', userId, actorId: actor.userId, text, emoji: emojiNow, isAway } as const;
    return inStream(statusDecider, streams.user(userId), (at) => ({ ...status, at }));
  },
);

function otherAccount(directory: Directory, actor: User, userId: number): User {
  if (actor.role > ROLE.administrator)
    throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator');
  const user = directory.user(userId);
  if (user?.botType !== null) throw badRequest('No such user');
  if (!user.isActive) throw badRequest('User is deactivated');
  return user;
}

function ownAccount(actor: User): User {
  if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
  return actor;
}

/** @returns undefined when the emoji is to stay, null when it is to go */
function askedEmoji(asked: AskedEmoji, custom: AllCustomEmoji): StatusEmoji | null | undefined {
  if (asked.name === undefined) {
    if (asked.code !== undefined || asked.type !== undefined)
      throw badRequest('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
    return undefined;
  }
  if (asked.name === '') return null;
  const { emoji, problem } = resolveEmoji(asked, custom);
  if (emoji === undefined || problem !== undefined) throw badRequest(problem ?? 'Invalid emoji name.');
  return { name: emoji.emojiName, code: emoji.emojiCode, type: emoji.reactionType };
}
