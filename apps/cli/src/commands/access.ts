import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { operatorTokenFile, rotateOperatorToken } from '#runtime';
import type { Command, CommandGroup } from '../command.js';
import { writeOwnerCredentials } from '../credentials.js';
import { logAddress } from '../log-address.js';
import { reactivateOrganization } from '../reactivate.js';

const credentials: Command = {
  name: 'credentials',
  args: 'FILE [EMAIL]',
  summary:
    'write the key of an owner, of the oldest active one unless EMAIL names another, from the log and the secret',
  run: async (call) => {
    const { args, dataDir, terminal } = call;
    const [target = '', email] = args;
    const { environment } = terminal;
    await terminal.print(
      await writeOwnerCredentials({ dataDir, environment, site: call.option('site'), target, email }),
    );
    return 0;
  },
};

const rotateToken: Command = {
  name: 'operator-token rotate',
  summary: "write a new operator's token over the former one, which a running server refuses from then on",
  run: async ({ dataDir, terminal }) => {
    const path = operatorTokenFile(dataDir, terminal.environment['OPERATOR_TOKEN_FILE']);
    if (!existsSync(dirname(path))) throw new Error(`There is no folder ${dirname(path)}.`);
    rotateOperatorToken(path);
    await terminal.print(`${path} holds a new token.`);
    return 0;
  },
};

const reactivate: Command = {
  name: 'reactivate',
  summary:
    'restore access after an owner deactivated the organization; a server with its log in a file has to be stopped meanwhile',
  run: async ({ dataDir, terminal }) => {
    const address = logAddress(dataDir, terminal.environment['EVENT_STORE_URL']);
    const wasDeactivated = await reactivateOrganization(address, Math.floor(Date.now() / 1000));
    await terminal.print(wasDeactivated ? 'The organization is active again.' : 'The organization is not deactivated.');
    return wasDeactivated ? 0 : 1;
  },
};

/** Commands that restore access. */
export const accessCommands: CommandGroup = { heading: 'Access', commands: [rotateToken, credentials, reactivate] };
