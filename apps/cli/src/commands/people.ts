import { ROLE } from '#users/model';
import type { Command, CommandGroup } from '../command.js';
import { oneOf } from '../option-values.js';
import { type Columns, durationOf, JSON_OPTION, LIMIT_OPTION, printRows, type Row, timeOf } from '../table.js';
import { operatorOf, QUIET } from './running-server.js';

const ROLES = Object.keys(ROLE);

const USER: Columns<Row> = {
  ID: (user) => user['user_id'],
  NAME: (user) => user['full_name'],
  'E-MAIL': (user) => user['email'],
  ROLE: (user) => user['role'],
  ACTIVE: (user) => user['is_active'],
  BOT: (user) => user['is_bot'],
  JOINED: (user) => timeOf(user['joined_at']),
};

const listUsers: Command = {
  name: 'users list',
  summary: 'all accounts',
  options: JSON_OPTION,
  run: async (call) => {
    await printRows(call, await operatorOf(call).rows('users', 'users', 'user_id'), USER);
    return 0;
  },
};

const showUser: Command = {
  name: 'users show',
  args: 'USER',
  summary: 'one account, by ID or e-mail address',
  options: JSON_OPTION,
  run: async (call) => {
    const { user } = await operatorOf(call).call('GET', `users/${encodeURIComponent(call.args[0] ?? '')}`);
    await printRows(call, [user as Row], USER);
    return 0;
  },
};

const invite: Command = {
  name: 'users invite',
  args: 'EMAIL...',
  summary: 'invite people by mail; they join the default channels',
  options: {
    role: { value: 'ROLE', summary: `one of: ${ROLES.join(', ')} (default: member)`, check: oneOf(ROLES) },
  },
  run: async (call) => {
    const params = { emails: call.args.join(','), role: call.option('role') };
    const { invited, is_quiet } = await operatorOf(call).call('POST', 'invitations', params);
    await call.terminal.print(`Invited: ${String(invited)}.${is_quiet === true ? ` ${QUIET}` : ''}`);
    return 0;
  },
};

const changeRole: Command = {
  name: 'users role',
  args: 'USER ROLE',
  summary: `change the role of an account: ${ROLES.join(', ')}`,
  complaint: ([, role = '']) => oneOf(ROLES)('ROLE', role),
  run: async (call) => {
    const [user = '', role = ''] = call.args;
    await operatorOf(call).call('POST', `users/${encodeURIComponent(user)}/role`, { role });
    await call.terminal.print(`${user} has the role ${role}.`);
    return 0;
  },
};

const deactivate: Command = {
  name: 'users deactivate',
  args: 'USER',
  summary: 'deactivate an account, and the bots that it owns',
  options: { comment: { value: 'TEXT', summary: 'told to the person by mail' } },
  run: async (call) => {
    const [user = ''] = call.args;
    const params = { comment: call.option('comment') };
    await operatorOf(call).call('POST', `users/${encodeURIComponent(user)}/deactivate`, params);
    await call.terminal.print(`${user} is deactivated.`);
    return 0;
  },
};

const resetPassword: Command = {
  name: 'users reset-password',
  args: 'USER',
  summary: 'print a link by which a person sets a new password, once, within a day',
  options: { mail: { summary: 'send the link to the person instead' } },
  run: async (call) => {
    const [user = ''] = call.args;
    const params = { mail: String(call.has('mail')) };
    const path = `users/${encodeURIComponent(user)}/reset-password`;
    const { link, is_quiet } = await operatorOf(call).call('POST', path, params);
    const sent = `A mail to ${user} has the link.${is_quiet === true ? ` ${QUIET}` : ''}`;
    await call.terminal.print(typeof link === 'string' ? link : sent);
    return 0;
  },
};

const groups: Command = {
  name: 'groups',
  summary: 'all user groups',
  options: JSON_OPTION,
  run: async (call) => {
    await printRows(call, await operatorOf(call).rows('groups', 'groups', 'group_id'), {
      ID: (group) => group['group_id'],
      NAME: (group) => group['name'],
      SYSTEM: (group) => group['is_system_group'],
      DEACTIVATED: (group) => group['is_deactivated'],
      MEMBERS: (group) => group['direct_members'],
      SUBGROUPS: (group) => group['direct_subgroups'],
    });
    return 0;
  },
};

const queues: Command = {
  name: 'queues',
  summary: 'event queues of the process that answers, those that are the farthest behind first',
  options: { ...JSON_OPTION, ...LIMIT_OPTION },
  run: async (call) => {
    const answer = await operatorOf(call).call('GET', 'queues', { limit: call.option('limit') });
    await printRows(call, answer['queues'] as readonly Row[], {
      QUEUE: (queue) => queue['queue_id'],
      USER: (queue) => queue['user_id'],
      NAME: (queue) => queue['full_name'],
      HELD: (queue) => queue['is_held'],
      IDLE: (queue) => durationOf(queue['idle_seconds']),
      LIFESPAN: (queue) => durationOf(queue['lifespan_seconds']),
      BEHIND: (queue) => queue['behind'],
    });
    if (!call.has('json'))
      await call.terminal.print(`${String(answer['total'])} queues, ${String(answer['held'])} held.`);
    return 0;
  },
};

/** Commands about people, their groups and their clients. */
export const peopleCommands: CommandGroup = {
  heading: 'People',
  commands: [listUsers, showUser, invite, changeRole, deactivate, resetPassword, groups, queues],
};
