import { readFileSync } from 'node:fs';

/** A mail server, as `SMTP_URL` names it. */
export interface SmtpAddress {
  readonly host: string;
  readonly port: number;
  /** TLS from the beginning; otherwise the connection is upgraded when the server offers it. */
  readonly secure: boolean;
  /** Nothing is sent over a connection that is not encrypted. */
  readonly requireTLS: boolean;
  readonly credentials?: { readonly user: string; readonly pass: string };
  /** Certificates to trust in addition to the usual ones, PEM. */
  readonly ca?: string;
}

const SMTP_PORT = 587;
const SMTPS_PORT = 465;

const CA_FILE = 'tlsCAFile';

/**
 * Reads `smtp://user:password@host:port` or `smtps://…`; `?tlsCAFile=PATH` names certificates to trust. A password is sent only over
 * TLS.
 * @throws TypeError, or an error of the file system
 */
export function smtpAddressOf(text: string): SmtpAddress {
  const url = new URL(text);
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')
    throw new TypeError('it must begin with smtp:// or smtps://.');
  if (url.hostname === '') throw new TypeError('it names no host.');
  if (!/^\/?$/.test(url.pathname)) throw new TypeError('it must have no path.');
  for (const option of url.searchParams.keys())
    if (option !== CA_FILE) throw new TypeError(`it has an unknown option: ${option}.`);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  const caFile = url.searchParams.get(CA_FILE);
  return {
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? SMTPS_PORT : SMTP_PORT) : Number(url.port),
    secure,
    requireTLS: !secure && user !== '',
    ...(user === '' ? undefined : { credentials: { user, pass: decodeURIComponent(url.password) } }),
    ...(caFile === null ? undefined : { ca: readFileSync(caFile, 'utf8') }),
  };
}
