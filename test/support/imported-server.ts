import { join } from 'node:path';
import { openEventStore } from '#event-store';
import { readSettings, scrollback } from '#runtime';
import { type RunningServer, startServer } from '../../apps/api/src/running-server.js';
import { runCommand } from '../../apps/cli/src/command-line.js';
import { ApiClient } from './client.js';

/** Of the owner, and of those to whom the server is told to give it. */
export const PASSWORD = 'correct horse battery';

/** Imports an archive by the command line, in this process. */
export async function importFrom(archive: string, into: string) {
  let [out, told] = ['', ''];
  const code = await runCommand(['import', archive, '--data', into], {
    environment: { OWNER_PASSWORD: PASSWORD },
    print: (line) => void (out += line),
    tell: (line) => void (told += `${line}\n`),
    onInterrupt: () => undefined,
  });
  return { code, out, told };
}

/** The log, as the command line prints it. */
export async function logOf(dataDir: string, ...args: string[]): Promise<any[]> {
  const lines: string[] = [];
  const terminal = { environment: {}, print: (line: string) => void lines.push(line), tell: () => undefined };
  await runCommand(['log', ...args, '--data', dataDir], { ...terminal, onInterrupt: () => undefined });
  return lines.map((line) => JSON.parse(line));
}

/** A server on imported data. */
export class ImportedServer {
  private constructor(
    private readonly dataDir: string,
    private running: RunningServer,
  ) {}

  static async start(dataDir: string): Promise<ImportedServer> {
    return new ImportedServer(dataDir, await start(dataDir));
  }

  get url(): string {
    return this.running.url;
  }

  async login(email: string): Promise<ApiClient> {
    const anonymous = new ApiClient(() => this.running.url, '', '');
    const { api_key, user_id } = await anonymous.ok('POST', '/fetch_api_key', { username: email, password: PASSWORD });
    const client = new ApiClient(() => this.running.url, email, api_key);
    client.userId = user_id;
    return client;
  }

  /** Gives people, who have no password after an import, that of the owner. Restarts the server. */
  async givePassword(owner: ApiClient, ...names: string[]): Promise<void> {
    const { members } = await owner.ok('GET', '/users');
    const userIds = names.map((name) => members.find((one: any) => one.full_name === name).user_id as number);
    await this.running.stop();
    const log = await logOf(this.dataDir, '1.organization');
    const { passwordHash } = log.findLast(({ data }) => data.passwordHash !== undefined).data;
    const store = await openEventStore(`sqlite:${join(this.dataDir, 'events.db')}`, scrollback.registry);
    const changes = userIds.map((userId) => ({
      id: `00000000-0000-4000-8000-${String(userId).padStart(12, '0')}`,
      type: 'user.changed.v1',
      data: { userId, passwordHash, by: owner.userId, at: 1 },
    }));
    await store.append('1.organization', 'any', changes);
    await store.close();
    this.running = await start(this.dataDir);
  }

  stop(): Promise<void> {
    return this.running.stop();
  }
}

function start(dataDir: string): Promise<RunningServer> {
  return startServer(readSettings({ DATA_DIR: dataDir, PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }));
}
