import { BlockList } from 'node:net';
import { Controller, Get, Param, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiExcludeController, BrowserCookies, type Cookies, FromRequest, Page, RedirectReply } from '#http';
import { type Origin, Refusal } from '#kernel';
import { OwnerLink } from '../owner-link.js';
import { BrowserSignIn } from '../sessions/browser-sign-in.js';
import { SignedInKeys } from '../signed-in-keys.js';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Headers of a proxy: what comes through one on this machine may come from any other. */
const PROXY_HEADERS = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'];

/** Opens the link that a first start shows at the terminal. */
@ApiExcludeController()
@Page()
@Controller()
export class OwnerLinkController {
  constructor(
    private readonly link: OwnerLink,
    private readonly keys: SignedInKeys,
    private readonly browsers: BrowserSignIn,
  ) {}

  @Get('login/owner/:token')
  async signIn(
    @BrowserCookies() cookies: Cookies,
    @Req() request: FastifyRequest,
    @Param('token') token: string,
    @FromRequest() origin: Origin,
  ): Promise<RedirectReply> {
    const email = isFromHere(request) ? this.link.redeem(token) : undefined;
    if (email === undefined)
      throw new Refusal(
        'AUTHENTICATION_FAILED',
        'This link does not count, or not any more. Sign in with the password.',
      );
    await this.browsers.signIn(cookies, this.keys.account(email, origin, 'link'), origin, 'link');
    return new RedirectReply('/');
  }
}

function isFromHere({ raw, headers }: FastifyRequest): boolean {
  const { remoteAddress = '', remoteFamily } = raw.socket;
  const address = remoteAddress.replace(/^::ffff:/, '');
  const family = remoteFamily === 'IPv6' && address === remoteAddress ? 'ipv6' : 'ipv4';
  return PROXY_HEADERS.every((name) => headers[name] === undefined) && LOOPBACK.check(address, family);
}
