import type { Command, CommandCall, CommandGroup } from '../command.js';
import { operatorAccess } from '../operator-access.js';
import { OperatorClient } from '../operator-client.js';

const status: Command = {
  name: 'status',
  summary: 'state and lag of each projection',
  run: async (call) => {
    await call.terminal.print(JSON.stringify(await operatorOf(call).call('GET', 'projections'), null, 2));
    return 0;
  },
};

const rebuild: Command = {
  name: 'rebuild',
  args: 'PROJECTION',
  summary: 'rebuild a projection while the server runs',
  run: async (call) => {
    const path = `projections/${encodeURIComponent(call.args[0] ?? '')}/rebuild`;
    await call.terminal.print(JSON.stringify(await operatorOf(call).call('POST', path)));
    return 0;
  },
};

/** Commands that ask the running server. */
export const runningServerCommands: CommandGroup = { heading: 'The running server', commands: [status, rebuild] };

/** The running server, with the credentials of this call. */
export function operatorOf(call: CommandCall): OperatorClient {
  const { dataDir, terminal } = call;
  return new OperatorClient(
    operatorAccess({
      dataDir,
      environment: terminal.environment,
      credentials: call.option('credentials'),
      site: call.option('site'),
    }),
  );
}
