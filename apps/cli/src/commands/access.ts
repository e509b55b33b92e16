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
export const accessCommands: CommandGroup = { heading: 'Access', commands: [credentials, reactivate] };
