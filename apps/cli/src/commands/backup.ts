import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMoment } from '#audit';
import { openBlobStore } from '#blob-store';
import { operatorTokenFile } from '#runtime';
import { backUp, type BackUpParts } from '../backup/back-up.js';
import { whileUnchanged } from '../backup/backup-folder.js';
import { restore } from '../backup/restore.js';
import { verifyBackup } from '../backup/verify-backup.js';
import { type Command, type CommandCall, type CommandGroup, WrongCall } from '../command.js';
import { logAddress, uploadsOf } from '../log-address.js';
import { moment } from '../option-values.js';
import { untilInterrupted } from '../until-interrupted.js';

const backup: Command = {
  name: 'backup',
  args: 'FOLDER',
  summary:
    'back up the log and the files into FOLDER, also while the server runs; again into the same one: what is new',
  options: {
    'with-secrets': { summary: "SECRET_KEY and the operator's token as well" },
    verify: { summary: 'read all of the backup instead, and name what is damaged or missing' },
  },
  run: async (call) => {
    const { args, terminal } = call;
    const [folder = ''] = args;
    const tell = (line: string): void => {
      terminal.tell(line);
    };
    if (call.has('verify')) {
      if (call.has('with-secrets'))
        throw new WrongCall('--verify writes nothing: it reads the secrets that are there.');
      const verified = await whileUnchanged(folder, () => verifyBackup(folder, tell));
      await terminal.print(JSON.stringify(verified));
      return verified.wrong === 0 ? 0 : 1;
    }
    terminal.giveWay?.();
    let wrong = 0;
    const code = await untilInterrupted(terminal, async (signal) => {
      const done = await backUp({ folder, ...sourcesOf(call), now: () => Date.now(), signal, tell });
      ({ wrong } = done);
      return done;
    });
    return code === 0 && wrong > 0 ? 1 : code;
  },
};

const restoreFrom: Command = {
  name: 'restore',
  args: 'FOLDER',
  summary: 'make the log, the files and the secrets of a backup, where there is nothing yet',
  options: {
    to: {
      value: 'MOMENT',
      summary: 'as of then: UNIX seconds, a time such as 2026-01-31T14:05Z, or @ and a position',
      check: moment,
    },
  },
  run: async (call) => {
    const { args, dataDir, terminal } = call;
    const [folder = ''] = args;
    const { EVENT_STORE_URL, UPLOADS_URL } = terminal.environment;
    const to = readMoment(call.option('to'), '--to');
    let missing = 0;
    const code = await untilInterrupted(terminal, async (signal) => {
      const restored = await whileUnchanged(folder, () =>
        restore({
          folder,
          to,
          dataDir,
          address: logAddress(dataDir, EVENT_STORE_URL),
          blobs: () =>
            openBlobStore(
              UPLOADS_URL === undefined || UPLOADS_URL === '' ? `file:${join(dataDir, 'uploads')}` : UPLOADS_URL,
              { isOnlyUser: false, stagingFolder: join(dataDir, 'incoming') },
            ),
          signal,
          tell: (line) => {
            terminal.tell(line);
          },
        }),
      );
      ({ missing } = restored);
      return restored;
    });
    return code === 0 && missing > 0 ? 1 : code;
  },
};

/** Commands for backups. */
export const backupCommands: CommandGroup = { heading: 'Backups', commands: [backup, restoreFrom] };

function sourcesOf(call: CommandCall): Pick<BackUpParts, 'address' | 'blobs' | 'secrets'> {
  const { dataDir, terminal } = call;
  const { EVENT_STORE_URL, UPLOADS_URL, SECRET_KEY, OPERATOR_TOKEN_FILE } = terminal.environment;
  return {
    address: logAddress(dataDir, EVENT_STORE_URL),
    blobs: uploadsOf(dataDir, UPLOADS_URL),
    secrets: call.has('with-secrets') ? secretsOf(dataDir, SECRET_KEY, OPERATOR_TOKEN_FILE) : [],
  };
}

/** @throws Error when there is no secret: a backup that was asked for it must have it */
function secretsOf(
  dataDir: string,
  secretKey: string | undefined,
  tokenFile: string | undefined,
): BackUpParts['secrets'] {
  const [keyPath, tokenPath] = [join(dataDir, 'secret.key'), operatorTokenFile(dataDir, tokenFile)];
  const isGiven = secretKey !== undefined && secretKey !== '';
  if (!isGiven && !existsSync(keyPath))
    throw new Error(`There is no ${keyPath}. Set SECRET_KEY, or name the data directory with --data.`);
  const key = { name: 'secret.key', content: isGiven ? Buffer.from(secretKey) : readFileSync(keyPath) } as const;
  if (!existsSync(tokenPath)) return [key];
  return [key, { name: 'operator.token', content: readFileSync(tokenPath) }];
}
