import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Param, Params, PathId, Summary, text } from '#http';
import { badRequest } from '#kernel';
import type { User } from '#users/model';
import { EXTRA_EMOJI_TYPES, reactionTypeOf } from '#pictures/model';
import { IsIn, MaxCharacters } from '#validation';
import { AddReactionCommand } from './add-reaction.js';
import type { AskedEmoji } from '../model/reaction-emoji.js';
import { RemoveReactionCommand } from './remove-reaction.js';

/** Longer than the name of any emoji. */
const EMOJI_LENGTH_MAX = 100;
const REACTION_TYPES = ['unicode_emoji', 'realm_emoji', ...EXTRA_EMOJI_TYPES] as const;

class RemoveReactionParams {
  @Param(text(), { optional: true })
  @MaxCharacters(EMOJI_LENGTH_MAX)
  emoji_name?: string;

  @Param(text(), { optional: true })
  @MaxCharacters(EMOJI_LENGTH_MAX)
  emoji_code?: string;

  @Param(text(), { optional: true })
  @IsIn(REACTION_TYPES)
  reaction_type?: (typeof REACTION_TYPES)[number];
}

class AddReactionParams extends RemoveReactionParams {
  @Param(text())
  @MaxCharacters(EMOJI_LENGTH_MAX)
  override emoji_name!: string;
}

/** Reactions to messages (endpoints.md §4, /messages/{message_id}/reactions). */
@ApiTags('messages')
@Controller('api/v1/messages')
export class ReactionsController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':message_id/reactions')
  @Answers()
  @Summary('Add a reaction', "An emoji of Unicode, of the organization, or the server's own.")
  async react(
    @Caller() actor: User,
    @PathId('message_id') messageId: number,
    @Params(AddReactionParams) params: AddReactionParams,
  ): Promise<void> {
    await this.commands.execute(new AddReactionCommand(actor, messageId, askedEmojiOf(params)));
  }

  @Delete(':message_id/reactions')
  @Answers()
  @Summary('Remove a reaction', "The caller's own.")
  async unreact(
    @Caller() actor: User,
    @PathId('message_id') messageId: number,
    @Params(RemoveReactionParams) params: RemoveReactionParams,
  ): Promise<void> {
    if (params.emoji_name === undefined && params.emoji_code === undefined) {
      throw badRequest('At least one of the following arguments must be present: emoji_name, emoji_code');
    }
    await this.commands.execute(new RemoveReactionCommand(actor, messageId, askedEmojiOf(params)));
  }
}

function askedEmojiOf({ emoji_name, emoji_code, reaction_type }: RemoveReactionParams): AskedEmoji {
  return {
    name: emoji_name,
    code: emoji_code,
    type: reactionTypeOf(reaction_type),
  };
}
