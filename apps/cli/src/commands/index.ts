import type { CommandGroup } from '../command.js';
import { accessCommands } from './access.js';
import { auditCommands } from './audit.js';
import { backupCommands } from './backup.js';
import { completionCommand } from './completion.js';
import { eventCommands } from './events.js';
import { logCommands } from './log.js';
import { pendingCommands } from './pending.js';
import { peopleCommands } from './people.js';
import { retentionCommands } from './retention.js';
import { runningServerCommands } from './running-server.js';
import { transferCommands } from './transfer.js';

/** All commands, in the order of the usage. */
export const COMMANDS: readonly CommandGroup[] = [
  logCommands,
  auditCommands,
  backupCommands,
  transferCommands,
  runningServerCommands,
  eventCommands,
  pendingCommands,
  retentionCommands,
  peopleCommands,
  accessCommands,
  { heading: 'This program', commands: [completionCommand(() => COMMANDS)] },
];
