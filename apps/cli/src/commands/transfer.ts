import { join } from 'node:path';
import type { Command, CommandGroup, Terminal } from '../command.js';
import { copyFiles } from '../copy-files.js';
import { copyBetween, givenAddress } from '../copy-log.js';
import { exportWhole } from '../export.js';
import { importInto } from '../import.js';
import { logAddress, uploadsOf } from '../log-address.js';

const copyLog: Command = {
  name: 'copy-log',
  args: 'FROM TO',
  summary:
    'copy a log, or continue a copy: sqlite:PATH, esdb://…, or env:NAME for the address in a variable of the environment',
  run: ({ args: [from = '', to = ''], terminal }) =>
    untilInterrupted(terminal, (signal) =>
      copyBetween({
        from: givenAddress(from, terminal.environment),
        to: givenAddress(to, terminal.environment),
        signal,
        tell: (line) => {
          terminal.tell(line);
        },
      }),
    ),
};

const copyContents: Command = {
  name: 'copy-files',
  args: 'FROM TO',
  summary: 'copy the content of files that TO lacks: file:PATH, s3://…, or env:NAME',
  run: ({ args: [from = '', to = ''], dataDir, terminal }) =>
    untilInterrupted(terminal, (signal) =>
      copyFiles({
        from: givenAddress(from, terminal.environment),
        to: givenAddress(to, terminal.environment),
        stagingFolder: join(dataDir, 'incoming'),
        signal,
        tell: (line) => {
          terminal.tell(line);
        },
      }),
    ),
};

const exportTo: Command = {
  name: 'export',
  args: 'FILE',
  summary: 'write an archive of everything, also while the server runs (docs/export.md)',
  run: ({ args: [target = ''], dataDir, terminal }) => {
    const address = logAddress(dataDir, terminal.environment['EVENT_STORE_URL']);
    return untilInterrupted(terminal, async (signal) => {
      const blobs = uploadsOf(dataDir, terminal.environment['UPLOADS_URL']);
      const { counts } = await exportWhole({ address, blobs, target, nowMs: Date.now(), signal, terminal });
      return counts;
    });
  },
};

const importFrom: Command = {
  name: 'import',
  args: 'FILE',
  summary:
    'import an archive, also one of Slack or Mattermost, into an empty server that is stopped, or continue an import',
  run: ({ args: [archive = ''], dataDir, terminal }) => {
    const environment = { ...terminal.environment, DATA_DIR: dataDir };
    return untilInterrupted(terminal, (signal) => importInto({ archive, environment, signal, terminal }));
  },
};

/** Commands that move data between places. */
export const transferCommands: CommandGroup = {
  heading: 'Copies and archives',
  commands: [copyLog, copyContents, exportTo, importFrom],
};

/** Prints the result. A signal stops the work, which can go on later. */
async function untilInterrupted(terminal: Terminal, work: (signal: AbortSignal) => Promise<object>): Promise<number> {
  const interruption = new AbortController();
  terminal.onInterrupt(() => {
    interruption.abort();
  });
  try {
    await terminal.print(JSON.stringify(await work(interruption.signal)));
    return 0;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    terminal.tell('Interrupted. The same command goes on from here.');
    return 130;
  }
}
