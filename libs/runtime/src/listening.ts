import { createServer } from 'node:net';
import { SettingsError } from './settings/settings.js';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already, perhaps another server. Stop it, or set PORT',
  EADDRNOTAVAIL: 'this machine has no such address. Set HOST',
  ENOTFOUND: 'there is no such host. Set HOST',
  EACCES: 'ports below 1024 are not allowed. Set PORT',
};

/**
 * Checks the address before anything is opened or created: a first start that cannot serve must not create an
 * organization whose password was never shown.
 * @throws SettingsError
 */
export async function assertCanListen(host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject).listen({ host, port }, resolve);
    });
  } catch (error) {
    throw new SettingsError(listenComplaint({ host, port }, error));
  }
  await new Promise((closed) => probe.close(closed));
}

/** @param setting that has the address, when it is one of its own */
export function listenComplaint(
  { host, port }: { readonly host: string; readonly port: number },
  error: unknown,
  setting?: string,
): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? message;
  return `Cannot listen on ${host}:${port}: ${setting === undefined ? reason : reason.replace(/\b(?:HOST|PORT)$/, setting)}.`;
}
