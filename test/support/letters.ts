import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '#testing';
import type { TestServer } from './server.js';

/** A mail that a server without a mail server has written into a file. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  /** The whole file, decoded. */
  readonly text: string;
  /** Address of its link: without one, empty. */
  readonly link: string;
}

/** Mails that were written so far. */
export function letters({ dataDir }: TestServer): Letter[] {
  const folder = join(dataDir, 'mail');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return files.map((name) => {
    const encoded = readFileSync(join(folder, name), 'latin1').replaceAll('=\r\n', '');
    const bytes = encoded.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    const text = Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
    const header = (field: string): string => new RegExp(`^${field}: (.*)$`, 'm').exec(text)?.[1] ?? '';
    const link = /^https?:\/\/\S+$/m.exec(text)?.[0] ?? '';
    return { to: header('To'), subject: header('Subject'), text, link };
  });
}

/** Waits for the mails to an address to be so many, and gives them. */
export async function lettersTo(server: TestServer, email: string, count = 1): Promise<readonly [Letter, ...Letter[]]> {
  const found = (): Letter[] => letters(server).filter(({ to }) => to === email);
  await until(() => found().length >= count);
  return found() as [Letter, ...Letter[]];
}
