import { Controller, Get, Ip, Post } from '@nestjs/common';
import {
  ApiExcludeController,
  BrowserCookies,
  Caller,
  Cookies,
  CsrfToken,
  FromRequest,
  type Html,
  html,
  Page,
  PageReply,
  Params,
  RedirectReply,
} from '#http';
import { type Origin, Refusal } from '#kernel';
import { Directory } from '#people';
import { Integrations } from '#realm/model';
import type { User } from '#users/model';
import { formOf } from '#pages';
import { SIGN_IN_PATH } from './open-id-path.js';
import { BrowserSignIn } from '../sessions/browser-sign-in.js';
import { PasswordSignIn } from '../sessions/password-sign-in.js';
import { SignInSettings } from '../sign-in-settings.js';
import { LoginForm, LoginPageParams } from './login.params.js';
import { nextPath } from './next-path.js';

/** The page by which people sign in with a browser, and out. */
@ApiExcludeController()
@Page()
@Controller()
export class LoginController {
  constructor(
    private readonly directory: Directory,
    private readonly integrations: Integrations,
    private readonly settings: SignInSettings,
    private readonly passwords: PasswordSignIn,
    private readonly browsers: BrowserSignIn,
  ) {}

  @Get('login')
  show(
    @BrowserCookies() cookies: Cookies,
    @Caller() caller: User | undefined,
    @Params(LoginPageParams) { next }: LoginPageParams,
  ): PageReply {
    return caller === undefined ? this.#form(cookies, { next }) : signedInPage(cookies, caller);
  }

  @Post('login')
  async signIn(
    @BrowserCookies() cookies: Cookies,
    @Ip() address: string,
    @FromRequest() origin: Origin,
    @Params(LoginForm) { username, password, next }: LoginForm,
  ): Promise<PageReply | RedirectReply> {
    try {
      await this.passwords.signIn(cookies, { loginName: username, address }, password, origin);
    } catch (error) {
      if (!(error instanceof Refusal) || !SHOWN.has(error.code)) throw error;
      return this.#form(cookies, { next, username, error: error.message });
    }
    return new RedirectReply(nextPath(next));
  }

  @Post('accounts/logout')
  async signOut(@BrowserCookies() cookies: Cookies, @FromRequest() origin: Origin): Promise<RedirectReply> {
    await this.browsers.signOut(cookies, origin);
    return new RedirectReply('/login/');
  }

  #form(
    cookies: Cookies,
    {
      next,
      username = '',
      error,
    }: { readonly next?: string | undefined; readonly username?: string; readonly error?: string },
  ): PageReply {
    const after = nextPath(next);
    const byPassword = this.integrations.allows(this.directory, 'Email');
    const form = formOf(cookies, {
      action: '/login/',
      hidden: { next: after },
      fields: [
        { name: 'username', label: 'E-mail address', type: 'email', autocomplete: 'username', value: username },
        { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
      ],
      button: 'Sign in',
      error,
    });
    const title = `Sign in to ${this.directory.organization.name}`;
    return new PageReply(
      title,
      html`${byPassword ? form : undefined}${this.#others(after)}`,
      error === undefined ? 200 : 401,
    );
  }

  #others(next: string): Html | undefined {
    const { openId } = this.settings;
    if (openId === undefined || !this.integrations.allows(this.directory, 'OpenID Connect')) return undefined;
    return html`<p><a href="${SIGN_IN_PATH}?next=${encodeURIComponent(next)}">Sign in with ${openId.name}</a></p>`;
  }
}

/** What a person is told beside the form, to try again. */
const SHOWN: ReadonlySet<string> = new Set([
  'AUTHENTICATION_FAILED',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'PASSWORD_AUTH_DISABLED',
]);

function signedInPage(cookies: Cookies, { fullName, email }: User): PageReply {
  return new PageReply(
    'You are signed in',
    html`<p>You are signed in as ${fullName} (${email}).</p>
      <form method="post" action="/accounts/logout/">
        ${CsrfToken.of(cookies).field}<button type="submit">Sign out</button>
      </form>`,
  );
}
