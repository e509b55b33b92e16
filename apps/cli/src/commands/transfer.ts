import { join } from 'node:path';
import type { Command, CommandGroup } from '../command.js';
import { copyFiles } from '../copy-files.js';
import { copyBetween, givenAddress } from '../copy-log.js';
import { DAMAGE_EXIT_CODE, DamageReport } from '../damage.js';
import { exportWhole } from '../export.js';
import { importInto } from '../import.js';
import { logAddress, uploadsOf } from '../log-address.js';
import { untilInterrupted } from '../until-interrupted.js';

const copyLog: Command = {
  name: 'copy-log',
  args: 'FROM TO',
  summary:
    'copy a log, also while its server runs, or continue a copy: sqlite:PATH, esdb://…, or env:NAME for the address in a variable of the environment',
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
  run: async ({ args: [target = ''], dataDir, terminal }) => {
    const address = logAddress(dataDir, terminal.environment['EVENT_STORE_URL']);
    const report = new DamageReport((line) => {
      terminal.tell(line);
    });
    const code = await untilInterrupted(terminal, async (signal) => {
      const blobs = uploadsOf(dataDir, terminal.environment['UPLOADS_URL']);
      const parts = { address, blobs, target, nowMs: Date.now(), signal, terminal, onDamage: report.add };
      const { counts } = await exportWhole(parts).catch((error: unknown) => {
        if (report.count > 0) terminal.tell('No archive can be made without these records: repair the log first.');
        throw error;
      });
      return report.count === 0 ? counts : { ...counts, damaged: report.count };
    });
    if (code !== 0 || report.count === 0) return code;
    terminal.tell('The archive lacks these records, and no server imports it: repair the log, and export again.');
    return DAMAGE_EXIT_CODE;
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
