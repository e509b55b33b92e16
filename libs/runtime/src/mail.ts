import { isIP } from 'node:net';
import { join } from 'node:path';
import { FileMailTransport, type MailTransport, SmtpMailTransport } from '#mail';
import type { Site } from '#realm/model';
import type { Settings } from './settings/settings.js';

/** Folder of the mail that is written into files, in the data directory. */
const FOLDER = 'mail';

/** Mail goes to the server that `SMTP_URL` names, and into files without one. */
export function mailTransportOf({ smtp, mailFrom, dataDir }: Settings, site: Site): MailTransport {
  const from = mailFrom ?? `noreply@${domainOf(site)}`;
  return smtp === undefined ? new FileMailTransport(mailFolder(dataDir), from) : new SmtpMailTransport(smtp, from);
}

export function mailFolder(dataDir: string): string {
  return join(dataDir, FOLDER);
}

/** Mail servers refuse senders at numbers, and at names without a dot. */
function domainOf({ url }: Site): string {
  const { hostname } = new URL(url);
  return isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.')
    ? 'localhost.localdomain'
    : hostname;
}
