import { Controller, Get, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { randomPKCECodeVerifier, randomState } from 'openid-client';
import { ApiExcludeController, BrowserCookies, Caller, Cookies, html, Page, PageReply, RedirectReply } from '#http';
import { badRequest, Clock, isSameSecret } from '#kernel';
import { Site } from '#realm/model';
import type { User } from '#users/model';
import { ConnectZoomCommand } from './connect-zoom.js';
import type { ZoomSignIn } from './zoom.js';
import { ZoomAccounts } from './zoom-accounts.js';

/** Clients open it in another window. */
const REGISTER_PATH = 'calls/zoom/register';
/** Where Zoom sends browsers back to; to be registered there. */
const COMPLETE_PATH = 'calls/zoom/complete';
const COOKIE = 'zoom';
/** Time to sign in at Zoom. */
const FLOW_SECONDS = 600;

/** What a browser keeps while its user signs in at Zoom. */
interface Flow extends ZoomSignIn {
  readonly userId: number;
  readonly until: number;
}

/** Connecting one's account at Zoom, with a browser that has signed in here. */
@ApiExcludeController()
@Page()
@Controller()
export class ConnectZoomController {
  constructor(
    private readonly accounts: ZoomAccounts,
    private readonly commands: CommandBus,
    private readonly site: Site,
    private readonly clock: Clock,
  ) {}

  @Get(REGISTER_PATH)
  async begin(@BrowserCookies() cookies: Cookies, @Caller() caller: User | undefined): Promise<RedirectReply> {
    const { zoom } = this.accounts;
    if (caller === undefined) return new RedirectReply(`/login/?next=${encodeURIComponent(`/${REGISTER_PATH}`)}`);
    const signIn = { state: randomState(), verifier: randomPKCECodeVerifier() };
    const flow: Flow = { ...signIn, userId: caller.userId, until: this.clock.nowSeconds() + FLOW_SECONDS };
    cookies.set(COOKIE, Buffer.from(JSON.stringify(flow)).toString('base64url'), FLOW_SECONDS);
    return new RedirectReply(await zoom.signInAddress(`${this.site.url}/${COMPLETE_PATH}`, signIn));
  }

  @Get(COMPLETE_PATH)
  async complete(
    @BrowserCookies() cookies: Cookies,
    @Caller() caller: User | undefined,
    @Req() { url }: FastifyRequest,
  ): Promise<PageReply> {
    const query = url.split('?')[1] ?? '';
    const flow = this.#flowIn(cookies.get(COOKIE));
    const state = new URLSearchParams(query).get('state') ?? '';
    // The window was opened by another site, for another account, or too long ago.
    if (caller === undefined || flow?.userId !== caller.userId || !isSameSecret(state, flow.state))
      throw badRequest('Invalid Zoom session identifier');
    // Zoom's answer counts once.
    cookies.remove(COOKIE);
    await this.commands.execute(new ConnectZoomCommand(caller, `${this.site.url}/${COMPLETE_PATH}?${query}`, flow));
    return new PageReply('Zoom is connected', html`<p>You can close this window, and go on with your call.</p>`);
  }

  #flowIn(cookie: string | undefined): Flow | undefined {
    try {
      const flow = JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString('utf8')) as Flow;
      return flow.until > this.clock.nowSeconds() ? flow : undefined;
    } catch {
      return undefined;
    }
  }
}
