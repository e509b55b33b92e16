import { type Command, type CommandCall, type CommandGroup, WrongCall } from '../command.js';
import { wholeNumber } from '../option-values.js';
import { operatorAccess } from '../operator-access.js';
import { JSON_OPTION, printRows, type Row } from '../table.js';
import { fieldsOf, OperatorClient } from '../operator-client.js';
import { printStatistics } from '../stats.js';
import { printStatus } from '../status.js';
import { cancelRebuilds, diffProjection, rebuildProjections } from '../rebuild.js';

const status: Command = {
  name: 'status',
  summary: 'state and lag of each projection, and the work in the background',
  options: { json: { summary: 'JSON in one line for programs, with all that is known' } },
  run: (call) => printStatus(call, operatorOf(call)),
};

const showProjection: Command = {
  name: 'projections show',
  args: 'PROJECTION',
  summary: 'one projection, its size, and the event on which it was set aside, without contents',
  options: { json: { summary: 'the JSON in one line' } },
  run: async (call) => {
    const [name = ''] = call.args;
    const shown = fieldsOf(await operatorOf(call).call('GET', `projections/${encodeURIComponent(name)}`));
    await call.terminal.print(JSON.stringify(shown, null, call.has('json') ? 0 : 2));
    return 0;
  },
};

const rebuild: Command = {
  name: 'rebuild',
  args: '[PROJECTION...]',
  summary: 'rebuild projections in one pass over the log while the server runs',
  options: {
    ...JSON_OPTION,
    all: { summary: 'all projections' },
    'dry-run': { summary: 'only say what would be rebuilt' },
    cancel: { summary: 'end all rebuilds; the old projections stay live' },
  },
  run: async (call) => {
    if (call.has('cancel')) return cancelRebuilds(call, operatorOf(call));
    if ((call.args.length === 0) !== call.has('all'))
      throw new WrongCall('Name the projections that are to be rebuilt, or give --all.');
    return rebuildProjections(call, operatorOf(call));
  },
};

const diff: Command = {
  name: 'projections diff',
  args: 'PROJECTION',
  summary: 'build it anew and compare; exit code 0: equal, 1: not, with the first key; ends by `rebuild --cancel`',
  run: (call) => diffProjection(call, operatorOf(call)),
};

const undo: Command = {
  name: 'projections undo',
  args: 'PROJECTION',
  summary: 'put the build that the last rebuild replaced in its place again, for a day',
  run: async (call) => {
    const [name = ''] = call.args;
    const { position, replacedAtMs } = await operatorOf(call).call(
      'POST',
      `projections/${encodeURIComponent(name)}/undo`,
    );
    const since = new Date(Number(replacedAtMs)).toISOString();
    await call.terminal.print(
      `${name} is live at position ${String(position)} as it was built before ${since}. The other one is kept for a day.`,
    );
    return 0;
  },
};

const prune: Command = {
  name: 'projections prune',
  summary: 'remove collections that a former release kept, and this one does not',
  options: { ...JSON_OPTION, 'dry-run': { summary: 'only say which, with their documents and bytes' } },
  run: async (call) => {
    const params = { dry_run: String(call.has('dry-run')) };
    const answer = await operatorOf(call).call('POST', 'left-overs/remove', params);
    const collections = answer['collections'] as readonly Row[];
    if (collections.length === 0 && !call.has('json')) {
      await call.terminal.print('No collection of a former release is left.');
      return 0;
    }
    await printRows(call, collections, {
      [answer['removed'] === true ? 'REMOVED' : 'WOULD REMOVE']: (one) => one['name'],
      DOCUMENTS: (one) => one['documents'],
      BYTES: (one) => one['bytes'],
    });
    const kept = answer['kept_because'];
    if (typeof kept === 'string') call.terminal.tell(kept);
    return 0;
  },
};

const doctor: Command = {
  name: 'doctor',
  summary: 'check settings, stores, disks, clock and certificate; exit code 1 when something fails',
  options: {
    ...JSON_OPTION,
    polls: {
      value: 'SECONDS',
      summary: 'also hold a request at --site for so long, as polls are: 60',
      check: wholeNumber(1, 300),
    },
  },
  run: async (call) => {
    const now = String(Math.floor(Date.now() / 1000));
    const server = operatorOf(call);
    const answer = await server.call('GET', 'doctor', { now });
    const seconds = call.option('polls');
    const polls = seconds === undefined ? [] : [await pollsCheck(server, seconds)];
    const checks: readonly Row[] = [...(answer['checks'] as readonly Row[]), ...polls];
    await printRows(call, checks, {
      CHECK: (check) => check['name'],
      STATE: (check) => check['state'],
      '': (check) => check['text'],
    });
    return checks.some(({ state }) => state === 'failure') ? 1 : 0;
  },
};

/** Seconds of a request whose answer begins at once: enough to tell the beginning from the end on a slow network. */
const BEGUN_SECONDS = '2';
/** Of the time that a request is held: the beginning of its answer comes at once, or with the end. */
const KEPT_BACK_SHARE = 0.5;

/** Whether a proxy between here and the server ends a request that waits, or keeps back what has been answered. */
async function pollsCheck(server: OperatorClient, seconds: string): Promise<Row> {
  const name = 'held polls';
  try {
    const { answer } = await heldBy(server, seconds, false);
    const { beganAfter } = await heldBy(server, BEGUN_SECONDS, true);
    const held = `A request was held for ${String(answer['held_seconds'])} s, and answered`;
    if (beganAfter < KEPT_BACK_SHARE) return { name, state: 'ok', text: `${held}.` };
    const text = `${held}, but where an answer begins at once, a proxy kept the beginning back until the end.`;
    const advice = 'Turn its buffering off for paths that begin with /api/v1/events.';
    return { name, state: 'warning', text: `${text} ${advice}` };
  } catch (error) {
    return { name, state: 'failure', text: (error as Error).message };
  }
}

/** @throws Error with the seconds after which the request ended too early */
async function heldBy(
  server: OperatorClient,
  seconds: string,
  beginAtOnce: boolean,
): ReturnType<OperatorClient['hold']> {
  const begunMs = performance.now();
  try {
    return await server.hold(seconds, beginAtOnce);
  } catch (error) {
    const after = Math.round((performance.now() - begunMs) / 1000);
    const what = beginAtOnce ? 'An answer that has begun' : 'A request that waits';
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${what} ends after ${after} s instead of ${seconds}: ${reason}`, { cause: error });
  }
}

const stats: Command = {
  name: 'stats',
  summary: 'events and bytes by type and day, sizes of read models and files, and a forecast for a year',
  options: {
    ...JSON_OPTION,
    days: { value: 'N', summary: 'last days to list (default: 30)', check: wholeNumber(1, 92) },
  },
  run: (call) => printStatistics(call, operatorOf(call)),
};

/** Commands that ask the running server. */
export const runningServerCommands: CommandGroup = {
  heading: 'The running server',
  commands: [status, showProjection, diff, rebuild, undo, prune, stats, doctor],
};

/** Said after what waits for a mail or another act of the server itself. */
export const QUIET = 'This server is quiet: nothing is sent or tried until it starts without QUIET.';

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
