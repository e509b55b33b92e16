import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that a mail server has taken. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
}

/** What it does with a mail whose text it has: answers 250 by default. */
export type Answering = (answer: (error?: Error) => void, hangUp: () => void) => void;

/** An SMTP server on a socket. */
export class MailServer {
  readonly taken: TakenMail[] = [];
  /** Mails of which it has had the whole text, whatever it answered. */
  texts = 0;
  /** Bytes of texts, whole or not. */
  textBytes = 0;
  answering: Answering = (answer) => {
    answer();
  };

  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
  ) {}

  /** @param options of `smtp-server`; by default neither TLS nor a login is needed */
  static async start(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
    const started: { server?: MailServer } = {};
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      ...options,
      onData(stream, { envelope }, callback) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (started.server !== undefined) started.server.textBytes += chunk.length;
        });
        stream.on('end', () => {
          const self = started.server;
          if (self === undefined) return;
          self.texts++;
          const mail = {
            from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
            to: envelope.rcptTo.map(({ address }) => address),
            text: Buffer.concat(chunks).toString(),
          };
          const answer = (error?: Error): void => {
            if (error === undefined) self.taken.push(mail);
            callback(error);
          };
          self.answering(answer, () => {
            for (const connection of server.connections) connection._socket.destroy();
          });
        });
      },
    });
    server.on('error', () => undefined); // Of connections that end early, as the tests want it.
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
    started.server = new MailServer(server, (server.server.address() as AddressInfo).port);
    return started.server;
  }

  stop(): Promise<void> {
    return new Promise((closed) => {
      this.server.close(() => {
        closed();
      });
    });
  }
}

/** A refusal with this status. */
export function refusal(responseCode: number): Error {
  return Object.assign(new Error('no'), { responseCode });
}
