import { Controller, Delete, Get, Ip, Post } from '@nestjs/common';
import {
  Answers,
  ApiTags,
  BrowserCookies,
  type Cookies,
  CsrfToken,
  ForOwnPages,
  FromRequest,
  OptionalAuth,
  Params,
  Summary,
} from '#http';
import type { Origin } from '#kernel';
import { described, integer, named, nullable, object, text, truth, type Wire } from '#wire';
import { BrowserSignIn } from './browser-sign-in.js';
import { PasswordSignIn } from './password-sign-in.js';
import { SessionForm } from './session.params.js';

const SessionSchema = named(
  'Session',
  object({
    signed_in: truth,
    user_id: nullable(integer),
    csrf_token: described(text, 'For the header `X-CSRFToken` of requests that change something.'),
    ends_at: described(nullable(integer), 'Seconds since the epoch.'),
  }),
);
type Session = Wire<typeof SessionSchema>;

/**
 * The session of the browser that calls, for scripts of this server's pages: a script cannot read the cookies. Credentials in the
 * request say nothing about the session.
 */
@ApiTags('authentication')
@OptionalAuth()
@ForOwnPages()
@Controller('api/v1/session')
export class SessionController {
  constructor(
    private readonly browsers: BrowserSignIn,
    private readonly passwords: PasswordSignIn,
  ) {}

  @Get()
  @Answers(SessionSchema)
  @Summary('Show the session of the browser', "For scripts of this server's pages. Never cached.")
  async show(@BrowserCookies() cookies: Cookies): Promise<Session> {
    const session = await this.browsers.session(cookies);
    return {
      signed_in: session !== undefined,
      user_id: session?.user.userId ?? null,
      csrf_token: CsrfToken.of(cookies).value,
      ends_at: session?.endsAt ?? null,
    };
  }

  @Post()
  @Answers(SessionSchema)
  @Summary('Sign in', 'Begins a session of the browser.')
  async signIn(
    @BrowserCookies() cookies: Cookies,
    @Ip() address: string,
    @FromRequest() origin: Origin,
    @Params(SessionForm) { username, password }: SessionForm,
  ): Promise<Session> {
    await this.passwords.signIn(cookies, { loginName: username, address }, password, origin);
    return this.show(cookies);
  }

  @Delete()
  @Answers(SessionSchema)
  @Summary('Sign out', 'Ends the session of the browser.')
  async signOut(@BrowserCookies() cookies: Cookies, @FromRequest() origin: Origin): Promise<Session> {
    await this.browsers.signOut(cookies, origin);
    return this.show(cookies);
  }
}
