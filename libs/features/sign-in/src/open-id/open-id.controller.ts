import { Controller, Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiExcludeController, BrowserCookies, Cookies, FromRequest, Page, Params, RedirectReply } from '#http';
import { badRequest, Clock, type Origin, Refusal } from '#kernel';
import { Directory } from '#people';
import { Integrations, Site } from '#realm/model';
import { OpenIdStartParams } from '../pages/login.params.js';
import { nextPath } from '../pages/next-path.js';
import { BrowserSignIn } from '../sessions/browser-sign-in.js';
import { SignedInKeys } from '../signed-in-keys.js';
import { IdentityProvider, newSecrets, type Secrets } from './identity-provider.js';
import { COMPLETE_PATH, REGISTER_PATH, SIGN_IN_PATH } from '../pages/open-id-path.js';
import { handedToApp } from './mobile-flow.js';

const COOKIE = 'oidc';
/** Time to sign in at the provider. */
const FLOW_SECONDS = 600;

/** What a browser keeps while its user signs in at the provider. */
interface Flow extends Secrets {
  readonly next: string;
  /** One-time pad of an app, which gets the API key in place of a session. */
  readonly otp?: string;
  readonly until: number;
}

/** Signing in with OpenID Connect (endpoints.md §1). */
@ApiExcludeController()
@Page()
@Controller()
export class OpenIdController {
  constructor(
    private readonly provider: IdentityProvider,
    private readonly integrations: Integrations,
    private readonly directory: Directory,
    private readonly keys: SignedInKeys,
    private readonly browsers: BrowserSignIn,
    private readonly site: Site,
    private readonly clock: Clock,
  ) {}

  @Get([SIGN_IN_PATH, REGISTER_PATH])
  async begin(
    @BrowserCookies() cookies: Cookies,
    @Params(OpenIdStartParams) { next, mobile_flow_otp: otp }: OpenIdStartParams,
  ): Promise<RedirectReply> {
    this.#assertAllowed();
    if (otp !== undefined && !/^[0-9a-f]{64}$/i.test(otp)) throw badRequest('Invalid OTP');
    const secrets = newSecrets();
    const address = await this.provider.signInAddress(secrets);
    const until = this.clock.nowSeconds() + FLOW_SECONDS;
    const flow: Flow = { ...secrets, next: nextPath(next), otp, until };
    cookies.set(COOKIE, Buffer.from(JSON.stringify(flow)).toString('base64url'), FLOW_SECONDS);
    return new RedirectReply(address);
  }

  @Get(COMPLETE_PATH)
  async complete(
    @BrowserCookies() cookies: Cookies,
    @Req() { url }: FastifyRequest,
    @FromRequest() origin: Origin,
  ): Promise<RedirectReply> {
    this.#assertAllowed();
    const flow = this.#flowIn(cookies.get(COOKIE));
    // The provider's answer counts once.
    cookies.remove(COOKIE);
    if (flow === undefined) throw new Refusal('AUTHENTICATION_FAILED', 'Signing in took too long. Please try again.');
    const email = await this.provider.verifiedEmail(url.split('?')[1] ?? '', flow);
    const user = this.#account(email, origin);
    if (flow.otp !== undefined) {
      const { apiKey } = await this.keys.of(email, origin, 'openid');
      return new RedirectReply(handedToApp({ user, apiKey }, flow.otp, this.site.url));
    }
    await this.browsers.signIn(cookies, user, origin, 'openid');
    return new RedirectReply(flow.next);
  }

  /** Nobody gets an account by signing in elsewhere. */
  #account(email: string, origin: Origin) {
    try {
      return this.keys.account(email, origin, 'openid');
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'AUTHENTICATION_FAILED') throw error;
      throw new Refusal('AUTHENTICATION_FAILED', `There is no account with the address ${email} here.`);
    }
  }

  #flowIn(cookie: string | undefined): Flow | undefined {
    try {
      const flow = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString('utf8')) as Flow;
      return flow.until > this.clock.nowSeconds() ? { ...flow, next: nextPath(flow.next) } : undefined;
    } catch {
      return undefined;
    }
  }

  #assertAllowed(): void {
    if (!this.integrations.allows(this.directory, 'OpenID Connect'))
      throw new Refusal('NOT_FOUND', 'OpenID Connect is not a way to sign in here.');
  }
}
