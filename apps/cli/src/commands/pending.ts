import type { Command, CommandCall, CommandGroup } from '../command.js';
import { oneOf } from '../option-values.js';
import { type Columns, durationOf, JSON_OPTION, LIMIT_OPTION, printRows, type Row, timeOf } from '../table.js';
import { operatorOf, QUIET } from './running-server.js';

const KINDS = ['mail', 'push', 'push-registration', 'webhook', 'follow-up', 'export', 'scheduled'];

const COLUMNS: Columns<Row> = {
  KIND: (item) => item['kind'],
  ID: (item) => item['id'],
  WHAT: (item) => item['what'],
  AGE: (item) => durationOf(Math.floor(Date.now() / 1000) - Number(item['since'])),
  ATTEMPTS: (item) => item['attempts'],
  NEXT: (item) => timeOf(item['next_at']),
  'LAST REASON': (item) => item['reason'],
};

const list: Command = {
  name: 'pending list',
  args: '[KIND]',
  complaint: kindComplaint,
  summary: `work that is not done yet, or failed: ${KINDS.join(', ')}`,
  options: { ...JSON_OPTION, ...LIMIT_OPTION },
  run: async (call) => {
    const params = { kind: call.args[0], limit: call.option('limit') };
    const answer = await operatorOf(call).call('GET', 'pending', params);
    await printRows(call, answer['pending'] as readonly Row[], COLUMNS);
    const cut = answer['more_of'] as readonly string[];
    if (cut.length > 0) call.terminal.tell(`There is more of: ${cut.join(', ')}. --limit N shows up to 1,000.`);
    return 0;
  },
};

const show: Command = {
  name: 'pending show',
  args: 'KIND ID',
  complaint: kindComplaint,
  summary: 'one of them, with what was recorded of its attempts',
  options: JSON_OPTION,
  run: async (call) => {
    const { pending, history } = await operatorOf(call).call('GET', pathOf(call));
    const rows = [{ ...(pending as Row), ...(call.has('json') && { history }) }];
    await printRows(call, rows, COLUMNS);
    if (call.has('json')) return 0;
    await call.terminal.print('');
    await printRows(call, history as readonly Row[], {
      AT: (step) => timeOf(step['at']),
      EVENT: (step) => step['type'],
      REASON: (step) => step['reason'],
    });
    return 0;
  },
};

const retry: Command = {
  name: 'pending retry',
  args: 'KIND [ID]',
  complaint: kindComplaint,
  summary: 'try it again at once; without ID, all of the kind',
  run: async (call) => {
    const [kind = '', id] = call.args;
    if (id !== undefined) {
      const { is_quiet } = await operatorOf(call).call('POST', `${pathOf(call)}/retry`);
      await call.terminal.print(is_quiet === true ? `${kind} ${id} is due. ${QUIET}` : `${kind} ${id} is tried again.`);
      return 0;
    }
    const answer = await operatorOf(call).call('POST', `pending/${encodeURIComponent(kind)}/retry`);
    await call.terminal.print(retriedLine(answer));
    return 0;
  },
};

const drop: Command = {
  name: 'pending drop',
  args: 'KIND ID REASON',
  complaint: kindComplaint,
  summary: 'give it up; the reason is recorded with the event',
  run: async (call) => {
    const [kind = '', id = '', reason = ''] = call.args;
    await operatorOf(call).call('POST', `${pathOf(call)}/drop`, { reason });
    await call.terminal.print(`${kind} ${id} is given up.`);
    return 0;
  },
};

/** Commands about pending work. */
export const pendingCommands: CommandGroup = { heading: 'Pending work', commands: [list, show, retry, drop] };

function retriedLine({ retried, under_way, is_quiet }: Row): string {
  const others = Number(under_way);
  if (retried === 0 && others === 0) return 'Tried again: 0. Nothing of this kind waits.';
  const due = others === 0 ? '' : ` Due already: ${others}.`;
  return is_quiet === true ? `Due now: ${String(retried)}.${due} ${QUIET}` : `Tried again: ${String(retried)}.${due}`;
}

function kindComplaint([kind]: readonly string[]): string | undefined {
  return kind === undefined ? undefined : oneOf(KINDS)('KIND', kind);
}

function pathOf({ args: [kind = '', id = ''] }: CommandCall): string {
  return `pending/${encodeURIComponent(kind)}/${encodeURIComponent(id)}`;
}
