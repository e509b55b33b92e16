import { damageLine } from '#event-store';
import { admitted, asking, DAMAGED, OPTIONS, reasonOf, requested, segment } from '../audit/asking.js';
import { auditChange } from '../audit/audit-client.js';
import { FORMATS } from '../audit/export/formats/write-formats.js';
import { runExport } from '../audit/export/run-export.js';
import { type Command, type CommandGroup, WrongCall } from '../command.js';
import { listOf, moment, time } from '../option-values.js';
import { messageIdComplaint } from '../usage.js';

/** Exit code of an export that is whole but for contents that nobody has removed. */
const LOST_FILES = 4;

const message = asking({
  name: 'audit message',
  args: 'MESSAGE_ID',
  summary: 'every version, place, reaction, flag and notification of a message, and its deletion',
  complaint: messageIdComplaint,
  question: ({ args: [value] }) => ({ path: 'messages', id: { name: 'message_id', value } }),
});

const topic = asking({
  name: 'audit topic',
  args: 'CHANNEL TOPIC',
  summary: 'a topic as it read then, with the messages that were deleted or moved since',
  tellsState: true,
  question: ({ args: [channel, name] }) => ({ path: 'topic', parameters: { channel, topic: name } }),
});

const one = (name: 'channel' | 'user' | 'group' | 'setting', summary: string): Command =>
  asking({
    name: `audit ${name}`,
    args: 'NAME',
    summary,
    question: ({ args: [named] }) => ({ path: name, parameters: { [name]: named } }),
  });

const PERIOD = {
  after: { value: 'MOMENT', summary: 'only what was done later than this, written as --as-of is', check: moment },
  before: { value: 'MOMENT', summary: 'only what was done up to this, written as --as-of is', check: moment },
};

const by = asking({
  name: 'audit by',
  args: 'USER',
  summary: 'everything that a person or a bot did, or `operator`',
  options: PERIOD,
  question: ({ args: [who], ...call }) => ({
    path: 'acts',
    parameters: { who, after: call.option('after'), before: call.option('before') },
  }),
});

const signIns = asking({
  name: 'audit sign-ins',
  args: '[USER]',
  summary: 'who signed in and who failed to, of all accounts or of one',
  options: { failed: { summary: 'only attempts that failed' }, ...PERIOD },
  question: ({ args: [user], ...call }) => ({
    path: 'sign-ins',
    parameters: {
      user,
      failed: call.has('failed') ? 'true' : undefined,
      after: call.option('after'),
      before: call.option('before'),
    },
  }),
});

const permissions = asking({
  name: 'audit permissions',
  summary: 'who changed permissions and roles, from what to what',
  question: () => ({ path: 'permissions' }),
});

const access = asking({
  name: 'audit access',
  args: '[CHANNEL_OR_MESSAGE_ID]',
  summary: 'who could read a channel (by name) or a message (by ID) then, by which rule, and what would change that',
  options: {
    user: { value: 'USER', summary: 'only this user: whether they could read it, or what they sent' },
    'could-read': { value: 'USER', summary: 'instead: which channels this user could read' },
  },
  tellsState: true,
  question: ({ args: [named], ...call }) => {
    if ((named === undefined) === (call.option('could-read') === undefined))
      throw new WrongCall('audit access needs either CHANNEL_OR_MESSAGE_ID or --could-read USER.');
    return {
      path: 'access',
      parameters: {
        [named !== undefined && /^\d+$/.test(named) ? 'message_id' : 'channel']: named,
        user: call.option('user'),
        could_read: call.option('could-read'),
      },
    };
  },
});

const search = asking({
  name: 'audit search',
  args: 'WORDS...',
  summary: 'all wordings that messages ever had, deleted ones included, with all of these words',
  question: ({ args }) => ({ path: 'search', parameters: { words: args.join(' ') } }),
});

const audits = asking({
  name: 'audit audits',
  summary: 'what auditors have asked, and why',
  question: () => ({ path: 'audits' }),
});

const requests = asking({
  name: 'audit requests',
  summary: 'calls of auditors that wait for the approval of somebody else, or that have it',
  question: () => ({ path: 'requests' }),
});

const deciding = (name: 'approve' | 'refuse', summary: string): Command => ({
  name: `audit ${name}`,
  args: 'REQUEST_ID',
  summary,
  options: { reason: OPTIONS.reason, patience: OPTIONS.patience },
  run: (call) => {
    const reason = reasonOf(call, `audit ${name}`);
    if (reason === undefined) return Promise.resolve(2);
    const [id] = call.args;
    return admitted(call, async (access) => {
      await auditChange(access, `requests/${segment(id)}/${name}`, { reason });
      await call.terminal.print(name === 'approve' ? `Approved: the auditor may ask for a day.` : 'Refused.');
      return 0;
    });
  },
});

const exporting: Command = {
  name: 'audit export',
  summary: 'write messages with their versions and files into a folder, or bring it up to date',
  options: {
    reason: OPTIONS.reason,
    'as-of': OPTIONS['as-of'],
    to: { value: 'FOLDER', summary: 'the folder: a new one, or that of an earlier export' },
    channel: { value: 'CHANNEL', summary: 'messages that ever were in this channel' },
    user: { value: 'USER', summary: 'only this user: whether they could read it, or what they sent' },
    after: { value: 'TIME', summary: 'sent then or later: UNIX seconds, or a time in ISO form', check: time },
    before: { value: 'TIME', summary: 'sent before then', check: time },
    words: { value: 'WORDS', summary: 'messages with a wording, current or former, that has all of them' },
    request: OPTIONS.request,
    patience: OPTIONS.patience,
    format: { value: 'LIST', summary: `with commas between: ${FORMATS.join(', ')}`, check: listOf(FORMATS) },
  },
  run: async (call) => {
    const { terminal } = call;
    const [to, reason = ''] = [call.option('to'), call.option('reason')];
    const formats = [...new Set(['jsonl', ...(call.option('format') ?? 'jsonl').split(',')])].sort();
    const needsFolder = !call.has('request') && (to === undefined || to === '');
    if (needsFolder || reason === '')
      throw new WrongCall('audit export needs --to, and --reason: every call is recorded with it.');
    const names = ['channel', 'user', 'after', 'before', 'words'];
    const question = Object.fromEntries(names.map((name) => [name, call.option(name)]));
    if (to === undefined || call.has('request'))
      return requested(call, 'export', { ...question, as_of: call.option('as-of') }, reason);
    return admitted(call, async (access) => {
      const asked = { question, formats, asOf: call.option('as-of') };
      const { messages, received, missingFiles, lostFiles, damaged, manifestHash } = await runExport({
        access,
        asked,
        reason,
        to,
        terminal,
      });
      await terminal.print(`${to}: ${messages} messages, ${received} of them new or changed.`);
      if (missingFiles.length > 0) terminal.tell(`Files without content: ${missingFiles.join(', ')}.`);
      await terminal.print(`SHA-256 of its manifest: ${manifestHash}`);
      if (lostFiles.length > 0) terminal.tell(`The server has lost the contents of: ${lostFiles.join(', ')}.`);
      for (const record of damaged) terminal.tell(damageLine(record));
      if (damaged.length > 0) return DAMAGED;
      if (lostFiles.length > 0) return LOST_FILES;
      return messages === 0 ? 1 : 0;
    });
  },
};

/** Questions to the running server, with the key of an auditor. */
export const auditCommands: CommandGroup = {
  heading: 'The audit, with the key of an auditor (--credentials)',
  commands: [
    message,
    topic,
    one('channel', 'a channel and its subscribers then, and its changes since'),
    one('user', 'an account, its subscriptions and groups then, and its changes since'),
    one('group', 'a group and its members then, and its changes since'),
    one('setting', 'who changed a setting of the organization, from what to what'),
    by,
    signIns,
    permissions,
    access,
    search,
    audits,
    requests,
    deciding('approve', 'let an auditor make the call that they asked to make'),
    deciding('refuse', 'do not let them'),
    exporting,
  ],
};
