import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { assertAdministrator, Directory, type User } from '#organization';

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

@CommandHandler(TestWelcomeMessageCommand)
export class TestWelcomeMessageHandler implements ICommandHandler<TestWelcomeMessageCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly sender: MessageSender,
  ) {}

  async execute({ actor, text }: TestWelcomeMessageCommand): Promise<number> {
    assertAdministrator(actor);
    const message = { type: 'direct', to: [actor.userId], content: text, client: INTERNAL_CLIENT } as const;
    const { id } = await this.sender.send(this.directory.systemBot('welcome'), message);
    return id;
  }
}
