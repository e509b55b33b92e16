import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ReadBarrier } from '#event-store';
import { AnswersFile, ApiTags, Caller, NotRateLimited, OptionalAuth, Raw, Summary } from '#http';
import { notLoggedIn } from '#kernel';
import { avatarAddress, isSpectator, type User, userByIdOrAddress } from '#users/model';
import { callerOrSpectator, Directory, mayKnowUser, unknownUser } from '#people';

/** Addresses of users' pictures that stay the same when a picture changes (endpoints.md §2). */
@ApiTags('pictures')
@OptionalAuth()
@Raw()
@NotRateLimited()
@Controller('avatar')
export class AvatarRedirectController {
  constructor(
    private readonly directory: Directory,
    private readonly barrier: ReadBarrier,
  ) {}

  @Get(':user_id')
  @AnswersFile('image/png')
  @Summary("Show a user's picture", 'Leads to the address of the picture.')
  redirect(
    @Caller() caller: User | undefined,
    @Param('user_id') idOrEmail: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#redirect(caller, idOrEmail, '', request, reply);
  }

  @Get(':user_id/medium')
  @AnswersFile('image/png')
  @Summary("Show a user's larger picture", 'Leads to the address of the picture.')
  redirectToMedium(
    @Caller() caller: User | undefined,
    @Param('user_id') idOrEmail: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.#redirect(caller, idOrEmail, 'medium', request, reply);
  }

  async #redirect(
    caller: User | undefined,
    idOrEmail: string,
    size: '' | 'medium',
    { url }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    await this.barrier.sync();
    const viewer = callerOrSpectator(this.directory, caller);
    const address = avatarAddress(this.#seen(viewer, idOrEmail), size);
    const query = queryOf(url);
    void reply
      .code(302)
      .header('location', query === '' ? address : `${address}&${query}`)
      .send();
  }

  /** Users who do not exist, and those whom the viewer may not know, have the same picture. */
  #seen(viewer: User, idOrEmail: string): User {
    if (isSpectator(viewer) && !/^\d{1,15}$/.test(idOrEmail)) throw notLoggedIn();
    const user = userByIdOrAddress(this.directory, viewer, idOrEmail);
    return user !== undefined && mayKnowUser(this.directory, viewer, user) ? user : unknownUser(0);
  }
}

/** The query as it was sent, without characters that a header cannot have. */
function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1).replaceAll(/[^\x21-\x7e]/g, '');
}
