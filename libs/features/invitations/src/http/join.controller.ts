import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import {
  ApiExcludeController,
  BrowserCookies,
  CheckedBoxes,
  Cookies,
  FromRequest,
  Page,
  PageReply,
  Params,
  RedirectReply,
  VisitorMails,
} from '#http';
import { Clock, type Origin } from '#kernel';
import { Directory } from '#people';
import { deadLink } from '#pages';
import { BrowserSignIn } from '#sign-in';
import { JoinCommand } from '../commands/join.js';
import { type Entrance, Entrances } from '../entrances.js';
import { complaintOf } from '../invitees.js';
import { JoinMail } from '../mail/join-mail.js';
import { accountPage, addressPage, GROUP_FIELD, mailSentPage } from './join-pages.js';
import { AddressForm, RegisterForm } from './join.params.js';

/** Pages by which invited people join (endpoints.md §11). */
@ApiExcludeController()
@Page()
@Controller()
export class JoinController {
  constructor(
    private readonly directory: Directory,
    private readonly entrances: Entrances,
    private readonly joinMail: JoinMail,
    private readonly commands: CommandBus,
    private readonly mails: VisitorMails,
    private readonly browsers: BrowserSignIn,
    private readonly clock: Clock,
  ) {}

  /** The link of a mail. */
  @Get('accounts/do_confirm/:key')
  confirm(@Param('key') key: string, @BrowserCookies() cookies: Cookies): PageReply {
    const entrance = this.entrances.byMail(key, this.clock.nowSeconds());
    if (entrance === undefined) throw deadLink();
    return accountPage(cookies, this.directory, key, entrance);
  }

  /** A link for many. */
  @Get('join/:key')
  join(@Param('key') key: string, @BrowserCookies() cookies: Cookies): PageReply {
    const entrance = this.#byLink(key);
    return this.entrances.isOpen
      ? accountPage(cookies, this.directory, key, entrance)
      : addressPage(cookies, this.directory, `/join/${key}/`);
  }

  @Post('join/:key')
  async sendMail(
    @Param('key') key: string,
    @Params(AddressForm) form: AddressForm,
    @Req() request: FastifyRequest,
    @FromRequest() origin: Origin,
    @BrowserCookies() cookies: Cookies,
  ): Promise<PageReply | RedirectReply> {
    const { invitationId } = this.#byLink(key);
    const email = form.email.trim();
    const complaint = complaintOf(this.directory, email);
    if (complaint !== undefined) return addressPage(cookies, this.directory, `/join/${key}/`, email, complaint);
    // However many addresses a visitor gives, few people get mail.
    this.mails.take(request.ip);
    await this.joinMail.send(invitationId, email, origin);
    return new RedirectReply('/accounts/send_confirm/');
  }

  @Get('accounts/send_confirm')
  mailSent(): PageReply {
    return mailSentPage();
  }

  /** Makes the account, and leads into the chat with a session. */
  @Post('accounts/register')
  async register(
    @Params(RegisterForm) form: RegisterForm,
    @CheckedBoxes(GROUP_FIELD) checked: readonly string[],
    @FromRequest() origin: Origin,
    @BrowserCookies() cookies: Cookies,
  ): Promise<PageReply | RedirectReply> {
    const { key, email, full_name: fullName, password, timezone } = form;
    const defaultGroupIds = checked.map(Number).filter(Number.isSafeInteger);
    const filled = { key, email, fullName, password, timezone, defaultGroupIds };
    const joined = await this.commands.execute(new JoinCommand(filled, origin));
    if (joined.user === undefined)
      return accountPage(cookies, this.directory, key, joined.entrance, filled, joined.errors);
    await this.browsers.signIn(cookies, joined.user, origin, 'invitation');
    return new RedirectReply('/');
  }

  /** @throws Refusal NOT_FOUND */
  #byLink(key: string): Entrance {
    const entrance = this.entrances.byLink(key, this.clock.nowSeconds());
    if (entrance === undefined) throw deadLink();
    return entrance;
  }
}
