import { createServer } from 'node:net';
import { SettingsError } from './settings/settings.js';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already, perhaps another server. Stop it, or set PORT',
  EADDRNOTAVAIL: 'this machine has no such address. Set HOST',
  ENOTFOUND: 'there is no such host. Set HOST',
  EACCES: 'this is not allowed. Set PORT to 1024 or more',
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
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new SettingsError(`Cannot listen on ${host}:${port}: ${REASONS[code] ?? message}.`);
  }
  await new Promise((closed) => probe.close(closed));
}
