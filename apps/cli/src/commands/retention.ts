import type { Command, CommandGroup } from '../command.js';
import { JSON_OPTION, printRows, timeOf } from '../table.js';
import { operatorOf } from './running-server.js';

const show: Command = {
  name: 'retention show',
  summary: 'how long messages are kept, and how many would be removed now',
  options: JSON_OPTION,
  run: async (call) => {
    const operator = operatorOf(call);
    const { why_off: whyOff } = await operator.call('GET', 'retention', { limit: '1' });
    await printRows(call, await operator.rows('retention', 'policies', 'channel_id'), {
      MESSAGES: ({ channel_id: id, channel }) => (id === null ? 'direct messages' : channel),
      DAYS: ({ days }) => days,
      'SET BY': (policy) => policy['set_by'],
      'UP TO': ({ until }) => timeOf(until),
      DUE: ({ messages }) => messages,
      'WITH FILES': (policy) => policy['with_files'],
    });
    if (typeof whyOff === 'string') call.terminal.tell(whyOff);
    return 0;
  },
};

const run: Command = {
  name: 'retention run',
  summary: 'remove at once what is due, instead of within half a minute',
  options: { 'dry-run': { summary: 'only count, as `retention show`' }, ...JSON_OPTION },
  run: async (call) => {
    if (call.has('dry-run')) return show.run(call);
    const { removed } = await operatorOf(call).call('POST', 'retention');
    await call.terminal.print(`Removed: ${String(removed)}.`);
    return 0;
  },
};

/** Commands about how long messages are kept. */
export const retentionCommands: CommandGroup = { heading: 'Retention of messages', commands: [show, run] };
