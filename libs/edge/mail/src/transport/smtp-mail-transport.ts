import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Letter } from '../letter.js';
import { MailFailure, type MailSession, MailTransport } from './mail-transport.js';
import { mimeOf } from './mime.js';
import type { SmtpAddress } from './smtp-address.js';

/** Below the time after which a submission counts as broken off (`SUBMITTING_MAX_SECONDS`). */
const TIMEOUTS_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 } as const;

/** Sends mail through an SMTP server: one connection for each mail, since there are few. */
export class SmtpMailTransport extends MailTransport {
  override readonly reachesPeople = true;

  constructor(
    private readonly address: SmtpAddress,
    private readonly from: string,
    private readonly timeouts: Partial<Record<keyof typeof TIMEOUTS_MS, number>> = {},
  ) {
    super();
  }

  override async open(): Promise<MailSession> {
    const { host, port, secure, requireTLS, credentials, ca } = this.address;
    const { default: Connection } = await import('nodemailer/lib/smtp-connection');
    const tls = { ...(ca === undefined ? undefined : { ca }) };
    const connection = new Connection({ host, port, secure, requireTLS, tls, ...TIMEOUTS_MS, ...this.timeouts });
    const session = new SmtpSession(connection, this.from);
    try {
      await session.connect();
      if (credentials !== undefined) await session.login(credentials);
      return session;
    } catch (error) {
      session.close();
      // Also a refused password may be corrected before the attempts are over.
      throw new MailFailure('later', `The mail server cannot be used: ${reasonOf(error)}`, { cause: error });
    }
  }
}

class SmtpSession implements MailSession {
  #fail: (error: Error) => void = () => undefined;

  constructor(
    private readonly connection: SMTPConnection,
    private readonly from: string,
  ) {
    // An error without a listener would end the process.
    connection.on('error', (error: Error) => {
      this.#fail(error);
    });
    connection.on('end', () => {
      this.#fail(new Error('The connection was closed.'));
    });
  }

  connect(): Promise<void> {
    return this.#step((done) => {
      this.connection.connect(done);
    });
  }

  login(credentials: { readonly user: string; readonly pass: string }): Promise<void> {
    return this.#step((done) => {
      this.connection.login({ credentials }, done);
    });
  }

  async submit(letter: Letter, claim: () => Promise<boolean>): Promise<boolean> {
    const message = new ClaimedText(await mimeOf(letter, this.from), claim);
    try {
      await this.#step((done) => {
        this.connection.send({ from: this.from, to: [letter.to] }, message, done);
      });
      return true;
    } catch (error) {
      if (message.refusal === undefined) throw failureOf(error, message.isClaimed);
      if (message.refusal instanceof NotOurs) return false;
      throw message.refusal;
    }
  }

  close(): void {
    this.connection.close();
  }

  /** Runs one step, which also ends with the connection. */
  async #step(begin: (done: (error?: Error | null) => void) => void): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      begin((error) => {
        if (error === undefined || error === null) resolve();
        else reject(error);
      });
    });
  }
}

/** Another process has the right to hand the mail over. */
class NotOurs extends Error {}

/** The text of a mail, which ends when the right to hand it over is recorded: a server takes nothing without the end. */
class ClaimedText extends Readable {
  isClaimed = false;
  /** Why it never ends. */
  refusal: Error | undefined;
  #isWritten = false;
  #isAsked = false;

  constructor(
    private readonly text: Buffer | string,
    private readonly claim: () => Promise<boolean>,
  ) {
    super();
  }

  override _read(): void {
    if (!this.#isWritten) {
      this.#isWritten = true;
      this.push(this.text);
      return;
    }
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.claim().then(
      (isOurs) => {
        if (!isOurs) this.#refuse(new NotOurs());
        else if (!this.destroyed) {
          this.isClaimed = true;
          this.push(null);
        }
      },
      (error: unknown) => {
        this.#refuse(error instanceof Error ? error : new Error('The claim failed.', { cause: error }));
      },
    );
  }

  #refuse(refusal: Error): void {
    this.refusal = refusal;
    this.destroy(refusal);
  }
}

/** @param isHandedOver whether the server may have the whole mail */
function failureOf(error: unknown, isHandedOver: boolean): MailFailure {
  const { responseCode } = error as { readonly responseCode?: number };
  const reason = reasonOf(error);
  if (responseCode !== undefined) {
    const kind = responseCode >= 500 ? 'never' : 'later';
    return new MailFailure(kind, `The mail server answered: ${reason}`, { cause: error });
  }
  if (isHandedOver)
    return new MailFailure('unknown', `It is not known whether the mail server has taken it: ${reason}`, {
      cause: error,
    });
  return new MailFailure('later', `The mail server did not take it: ${reason}`, { cause: error });
}

/**
 * Code and status alone: a server's words may repeat the address. The code of the system or of TLS (`originalCode`) tells a
 * refused connection from a certificate that has ended, which are both `ESOCKET` to the client.
 */
function reasonOf(error: unknown): string {
  const { code, originalCode, responseCode } = error as Readonly<{
    code?: string;
    originalCode?: unknown;
    responseCode?: number;
  }>;
  return [typeof originalCode === 'string' ? originalCode : (code ?? 'failure'), responseCode]
    .filter((part) => part !== undefined)
    .join(' ');
}
