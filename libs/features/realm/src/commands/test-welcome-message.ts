import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { actingBy, originFrom } from '#kernel';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { assertAdministrator, type User } from '#users/model';
import { Directory } from '#people';

/**
 * Sends an administrator the welcome message of new users, as the welcome bot would. Resolves to the message's ID.
 * @throws Refusal UNAUTHORIZED_PRINCIPAL; BAD_REQUEST for blank text
 */
export class TestWelcomeMessageCommand extends Command<number> {
  constructor(
    readonly actor: User,
    /** Markdown. */
    readonly text: string,
  ) {
    super();
  }
}

export const testWelcomeMessage = command(
  TestWelcomeMessageCommand,
  { directory: Directory, sender: MessageSender },
  async ({ actor, text }, { directory, sender }) => {
    assertAdministrator(actor);
    const message = { type: 'direct', to: [actor.userId], content: text, client: INTERNAL_CLIENT } as const;
    const { id } = await sender.send(actingBy(directory.systemBot('welcome'), originFrom(actor)), message);
    return id;
  },
);
