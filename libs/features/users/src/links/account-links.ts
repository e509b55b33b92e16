import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Site } from '#realm/model';
import { LINK_VALID_SECONDS, LinkKeys } from '#pages';
import type { User } from '../model/user.js';

const RESET = 'p';
const CONFIRM = 'e';

/** What the link of a mail says: a state of an account, which its use changes. */
export interface AccountLink {
  readonly userId: number;
  /** When it was made or asked for, in seconds since the epoch. */
  readonly since: number;
  /** Of the state; see `passwordMark` and `addressMark`. */
  readonly mark: string;
}

/** Changes with the password and the address: a link to reset a password works once, and not any more when either has changed. */
export function passwordMark({ email, passwordHash = '' }: User): string {
  return markOf(`${passwordHash}\n${email}`);
}

/** Of the address that is to be confirmed. */
export function addressMark(email: string): string {
  return markOf(email);
}

/** Addresses of the pages to which mails about an account lead. */
@Injectable()
export class AccountLinks {
  constructor(
    private readonly keys: LinkKeys,
    private readonly site: Site,
  ) {}

  reset(link: AccountLink): string {
    return `${this.site.url}/accounts/password/reset/${this.keys.keyOf(RESET, textOf(link))}`;
  }

  confirm(link: AccountLink): string {
    return `${this.site.url}/accounts/confirm_new_email/${this.keys.keyOf(CONFIRM, textOf(link))}`;
  }

  readReset(key: string, at: number): AccountLink | undefined {
    return linkOf(this.keys.read(RESET, key), at);
  }

  readConfirm(key: string, at: number): AccountLink | undefined {
    return linkOf(this.keys.read(CONFIRM, key), at);
  }
}

function markOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

function textOf({ userId, since, mark }: AccountLink): string {
  return `${userId}.${since.toString(36)}.${mark}`;
}

function linkOf(text: string | undefined, at: number): AccountLink | undefined {
  const [, userId, since = '', mark] = /^(\d+)\.([a-z0-9]+)\.([\w-]{12})$/.exec(text ?? '') ?? [];
  if (mark === undefined) return undefined;
  const link = { userId: Number(userId), since: Number.parseInt(since, 36), mark };
  return link.since + LINK_VALID_SECONDS > at ? link : undefined;
}
