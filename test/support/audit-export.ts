import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../apps/cli/src/command-line.js';
import type { ApiClient } from './client.js';

/** What a command has printed, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly out: readonly string[];
  readonly told: readonly string[];
}

/** Exports with the key of a client. An option with an empty value is a switch. What is told has no progress. */
export async function auditExport(
  client: ApiClient,
  folder: string,
  options: Readonly<Record<string, string | undefined>> = {},
): Promise<Ran> {
  const zuliprc = `${folder}.zuliprc`;
  writeFileSync(zuliprc, `[api]\nemail=${client.email}\nkey=${client.apiKey}\nsite=${client.site}\n`, { mode: 0o600 });
  const given = Object.entries<string | undefined>({ to: folder, reason: 'Case 8.', credentials: zuliprc, ...options });
  const args = given.flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value].filter((arg) => arg !== ''),
  );
  const [out, told]: [string[], string[]] = [[], []];
  const code = await runCommand(['audit', 'export', ...args], {
    environment: {},
    print: (line) => void out.push(line),
    tell: (line) => {
      if (!/^(?:Receiving|Fetching) /.test(line)) told.push(line);
    },
    onInterrupt: () => undefined,
  });
  return { code, out, told };
}

/** The files of a folder, by their paths, with mode and SHA-256. */
export function contentOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name);
    const info = lstatSync(path);
    const mode = (info.mode & 0o777).toString(8);
    found[name] = info.isFile() ? `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}` : mode;
  }
  return found;
}

export function jsonLines(folder: string, name: string): any[] {
  const text = readFileSync(join(folder, name), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}
