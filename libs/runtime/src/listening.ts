import type { Server } from 'node:http';
import { SettingsError } from './settings/settings-error.js';

interface Address {
  readonly host: string;
  readonly port: number;
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already, perhaps another server. Stop it, or set PORT',
  EADDRNOTAVAIL: 'this machine has no such address. Set HOST',
  ENOTFOUND: 'there is no such host. Set HOST',
  EACCES: 'ports below 1024 are not allowed. Set PORT',
};

/**
 * Resolves when the server listens.
 * @param setting that has the address, when it is one of its own
 * @throws SettingsError when the address cannot be used
 */
export async function listenOn(server: Server, { host, port }: Address, setting?: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ host, port }, resolve);
    });
  } catch (error) {
    throw new SettingsError(complaintAbout({ host, port }, error, setting));
  }
}

/** Resolves when the port is free; requests in progress are cut off. */
export async function closeAtOnce(server: Server): Promise<void> {
  const closed = new Promise((done) => server.close(done));
  server.closeAllConnections();
  await closed;
}

function complaintAbout({ host, port }: Address, error: unknown, setting: string | undefined): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? message;
  return `Cannot listen on ${host}:${port}: ${setting === undefined ? reason : reason.replace(/\b(?:HOST|PORT)$/, setting)}.`;
}
