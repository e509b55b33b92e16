import { Controller, Delete, Get, Ip, Post } from '@nestjs/common';
import {
  ApiTags,
  BrowserCookies,
  type Cookies,
  CsrfToken,
  ForOwnPages,
  FromRequest,
  OptionalAuth,
  Params,
} from '#http';
import type { JsonObject, Origin } from '#kernel';
import { BrowserSignIn } from './browser-sign-in.js';
import { PasswordSignIn } from './password-sign-in.js';
import { SessionForm } from './session.params.js';

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
  async show(@BrowserCookies() cookies: Cookies): Promise<JsonObject> {
    const session = await this.browsers.session(cookies);
    return {
      signed_in: session !== undefined,
      user_id: session?.user.userId ?? null,
      csrf_token: CsrfToken.of(cookies).value,
      ends_at: session?.endsAt ?? null,
    };
  }

  @Post()
  async signIn(
    @BrowserCookies() cookies: Cookies,
    @Ip() address: string,
    @FromRequest() origin: Origin,
    @Params(SessionForm) { username, password }: SessionForm,
  ): Promise<JsonObject> {
    await this.passwords.signIn(cookies, { loginName: username, address }, password, origin);
    return this.show(cookies);
  }

  @Delete()
  async signOut(@BrowserCookies() cookies: Cookies): Promise<JsonObject> {
    await this.browsers.signOut(cookies);
    return this.show(cookies);
  }
}
