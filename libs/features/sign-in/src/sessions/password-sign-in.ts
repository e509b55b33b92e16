import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Cookies, type LoginAttempt, LoginAttempts } from '#http';
import type { Origin } from '#kernel';
import { Directory } from '#people';
import { FetchApiKeyCommand } from '#users';
import { BrowserSignIn } from './browser-sign-in.js';

/** Signs browsers in by a password. */
@Injectable()
export class PasswordSignIn {
  constructor(
    private readonly directory: Directory,
    private readonly commands: CommandBus,
    private readonly attempts: LoginAttempts,
    private readonly browsers: BrowserSignIn,
  ) {}

  /** @throws Refusal AUTHENTICATION_FAILED, USER_DEACTIVATED, REALM_DEACTIVATED, PASSWORD_AUTH_DISABLED, RATE_LIMIT_HIT */
  async signIn(cookies: Cookies, attempt: LoginAttempt, password: string, origin: Origin): Promise<void> {
    await this.attempts.run(attempt, () =>
      this.commands.execute(new FetchApiKeyCommand(attempt.loginName, password, origin, 'session')),
    );
    const user = this.directory.userByEmail(attempt.loginName);
    if (user === undefined) throw new Error('An account has vanished.');
    await this.browsers.signIn(cookies, user, origin, 'password');
  }
}
