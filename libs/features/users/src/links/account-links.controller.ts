import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import {
  ApiExcludeController,
  BrowserCookies,
  CHAT_LINK,
  Cookies,
  FromRequest,
  html,
  otherClients,
  Page,
  PageReply,
  Params,
  RedirectReply,
  VisitorMails,
} from '#http';
import { Clock, type Origin } from '#kernel';
import { Directory } from '#people';
import { Site } from '#realm/model';
import { deadLink, formOf, notePage } from '#pages';
import { isEmailAddress } from '../email-address.js';
import { confirmable, resettable } from './account-links.decider.js';
import { AccountLinks } from './account-links.js';
import { AskResetForm, ResetForm } from './account-links.params.js';
import { askPage, resetPage } from './account-pages.js';
import { ResetMail } from './reset-mail.js';
import { ConfirmEmailCommand, ResetPasswordCommand } from './use-account-links.js';

/** Pages to reset a password, and to confirm another address. */
@ApiExcludeController()
@Page()
@Controller('accounts')
export class AccountLinksController {
  constructor(
    private readonly directory: Directory,
    private readonly links: AccountLinks,
    private readonly resetMail: ResetMail,
    private readonly commands: CommandBus,
    private readonly mails: VisitorMails,
    private readonly clock: Clock,
    private readonly site: Site,
  ) {}

  @Get('password/reset')
  ask(@BrowserCookies() cookies: Cookies): PageReply {
    return askPage(cookies);
  }

  @Post('password/reset')
  async sendMail(
    @Params(AskResetForm) form: AskResetForm,
    @Req() request: FastifyRequest,
    @FromRequest() origin: Origin,
    @BrowserCookies() cookies: Cookies,
  ): Promise<PageReply | RedirectReply> {
    const email = form.email.trim();
    if (!isEmailAddress(email)) return askPage(cookies, email, 'Enter a valid email address.');
    // However many addresses a visitor gives, few people get mail.
    this.mails.take(request.ip);
    await this.resetMail.send(email, origin);
    return new RedirectReply('/accounts/password/reset/done/');
  }

  @Get('password/reset/done')
  mailSent(): PageReply {
    return notePage(
      'Check your mail',
      'If there is an account with the address that you have given, a mail with a link is on its way.',
    );
  }

  @Get('password/done')
  done(): PageReply {
    return notePage('Your password is set', CHAT_LINK, otherClients(this.site.url));
  }

  @Get('password/reset/:key')
  reset(@Param('key') key: string, @BrowserCookies() cookies: Cookies): PageReply {
    return resetPage(cookies, key, this.#addressOf(key));
  }

  @Post('password/reset/:key')
  async setPassword(
    @Param('key') key: string,
    @Params(ResetForm) form: ResetForm,
    @FromRequest() origin: Origin,
    @BrowserCookies() cookies: Cookies,
  ): Promise<PageReply | RedirectReply> {
    const email = this.#addressOf(key);
    const { new_password1: password, new_password2: again, log_out: logsOut } = form;
    if (password !== again) return resetPage(cookies, key, email, { again: 'The two passwords differ.' });
    const command = new ResetPasswordCommand(key, password, logsOut !== '', origin);
    const complaint = await this.commands.execute(command);
    if (complaint !== undefined) return resetPage(cookies, key, email, { password: complaint });
    return new RedirectReply('/accounts/password/done/');
  }

  /** Only the form changes anything: programs that look through mail follow its links. */
  @Get('confirm_new_email/:key')
  confirm(@Param('key') key: string, @BrowserCookies() cookies: Cookies): PageReply {
    const link = this.links.readConfirm(key, this.clock.nowSeconds());
    const found = link && confirmable(this.directory, link);
    if (found === undefined) throw deadLink();
    const { user, email } = found;
    const body = html`<p>The address of your account will change from ${user.email} to ${email}.</p>
      ${formOf(cookies, {
        action: `/accounts/confirm_new_email/${key}/`,
        fields: [],
        button: 'Confirm the new address',
      })}`;
    return new PageReply('Confirm your new address', body);
  }

  @Post('confirm_new_email/:key')
  async changeEmail(@Param('key') key: string, @FromRequest() origin: Origin): Promise<RedirectReply> {
    await this.commands.execute(new ConfirmEmailCommand(key, origin));
    return new RedirectReply('/accounts/new_email_confirmed/');
  }

  @Get('new_email_confirmed')
  confirmed(): PageReply {
    return notePage(
      'Your address is confirmed',
      'Log in with it from now on: apps that are logged in by the former address have to log in again.',
      CHAT_LINK,
      otherClients(this.site.url),
    );
  }

  /** Of the account whose password the link resets. @throws Refusal NOT_FOUND */
  #addressOf(key: string): string {
    const link = this.links.readReset(key, this.clock.nowSeconds());
    const user = link && resettable(this.directory, link);
    if (user === undefined) throw deadLink();
    return user.email;
  }
}
