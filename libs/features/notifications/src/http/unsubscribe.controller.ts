import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiExcludeController, FromRequest, html, Page, PageReply, Public, Raw } from '#http';
import { type Origin, actingBy, knownAs } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { UnsubscribeCommand } from '../missed/unsubscribe.js';
import { UnsubscribeLinks } from '../missed/unsubscribe-links.js';

/** Unsubscribing from mail about missed messages. Programs that only look at links change nothing. */
@ApiExcludeController()
@Controller('accounts/unsubscribe/missed_messages/:token')
export class UnsubscribeController {
  constructor(
    private readonly links: UnsubscribeLinks,
    private readonly directory: Directory,
    private readonly commands: CommandBus,
  ) {}

  @Page()
  @Get()
  ask(@Param('token') token: string): PageReply {
    if (this.#userOf(token) === undefined) return unknownLink();
    return new PageReply(
      'Unsubscribe',
      html`<p>Do you want no more mail about messages that you have missed?</p>
        <form method="post"><button>Unsubscribe</button></form>`,
    );
  }

  /** Also the one click in a mail program (RFC 8058), which has no cookies: the signature of the link is what counts. */
  @Public()
  @Raw()
  @Post()
  async unsubscribe(@Param('token') token: string, @FromRequest() origin: Origin): Promise<PageReply> {
    const user = this.#userOf(token);
    if (user === undefined) return unknownLink();
    await this.commands.execute(new UnsubscribeCommand(actingBy(user, knownAs(user, origin))));
    return new PageReply(
      'Unsubscribed',
      html`<p>
        You get no more mail about messages that you have missed. The settings of your account turn it on again.
      </p>`,
    );
  }

  #userOf(token: string): User | undefined {
    const userId = this.links.userIdOf(token);
    const user = userId === undefined ? undefined : this.directory.user(userId);
    return user?.isActive === true ? user : undefined;
  }
}

function unknownLink(): PageReply {
  return new PageReply(
    'This link does not work',
    html`<p role="alert">The link is not whole, or its account is gone.</p>`,
    404,
  );
}
