import { setTimeout as pause } from 'node:timers/promises';
import type { Command, CommandCall, CommandGroup } from '../command.js';
import { oneOf, wholeNumber } from '../option-values.js';
import { type Columns, JSON_OPTION, LIMIT_OPTION, printRows, type Row, timeOf } from '../table.js';
import { operatorOf } from './running-server.js';

const LOOK_EVERY_MS = 1_000;
const ACTORS = ['user', 'bot', 'visitor', 'server', 'operator'];

const EVENT: Columns<Row> = {
  POSITION: (event) => event['position'],
  AT: (event) => timeOf(event['at']),
  STREAM: (event) => event['stream'],
  REVISION: (event) => event['revision'],
  TYPE: (event) => event['type'],
  ACTOR: (event) => actorOf(event),
  BYTES: (event) => event['bytes'],
};

const showStream: Command = {
  name: 'streams show',
  args: 'STREAM',
  summary: 'events of a stream, without contents',
  options: {
    ...JSON_OPTION,
    after: { value: 'PLACE', summary: 'only those after this revision', check: wholeNumber(-1) },
    ...LIMIT_OPTION,
  },
  run: async (call) => {
    const [stream = ''] = call.args;
    const params = { after: call.option('after'), limit: call.option('limit') };
    const answer = await operatorOf(call).call('GET', `streams/${encodeURIComponent(stream)}`, params);
    await printRows(call, answer['events'] as readonly Row[], EVENT);
    if (answer['is_last'] === false) call.terminal.tell('There are more: --after REVISION shows what follows.');
    return 0;
  },
};

const tail: Command = {
  name: 'events tail',
  summary: 'events as they are recorded, without contents, until it is interrupted',
  options: {
    ...JSON_OPTION,
    type: { value: 'TYPE', summary: 'only events whose type begins like this' },
    stream: { value: 'STREAM', summary: 'only streams whose name begins like this' },
    actor: {
      value: 'WHO',
      summary: `only what a user did, by ID, or one of: ${ACTORS.join(', ')}`,
      check: (name, who) => (/^\d+$/.test(who) ? undefined : oneOf(ACTORS)(`${name}, where it is no ID,`, who)),
    },
    count: { value: 'N', summary: 'end after so many', check: wholeNumber(1) },
  },
  run: async (call) => {
    const interruption = new AbortController();
    call.terminal.onInterrupt(() => {
      interruption.abort();
    });
    const server = operatorOf(call);
    const filter = { type: call.option('type'), stream: call.option('stream'), actor: call.option('actor') };
    let left = Number(call.option('count') ?? Infinity);
    for (let after: string | undefined; left > 0 && !interruption.signal.aborted;) {
      const answer = await server.call('GET', 'events', { ...filter, after });
      const events = (answer['events'] as readonly Row[]).slice(0, left);
      left -= events.length;
      for (const event of events) await printEvent(call, event);
      after = (answer['next'] as string | null) ?? undefined;
      if (left > 0 && answer['is_last'] === true)
        await pause(LOOK_EVERY_MS, undefined, { signal: interruption.signal }).catch(() => undefined);
    }
    return 0;
  },
};

/** Commands that show what the log has, without contents. */
export const eventCommands: CommandGroup = { heading: 'Events', commands: [showStream, tail] };

function actorOf({ actor, actor_id: id }: Row): string {
  return typeof id === 'number' ? `${String(actor)} ${id}` : String(actor);
}

/** Lines that come one by one have no widths in common. */
async function printEvent(call: CommandCall, event: Row): Promise<void> {
  const place = `${String(event['stream'])}@${String(event['revision'])}`;
  const line = [
    event['position'],
    timeOf(event['at']),
    place,
    event['type'],
    actorOf(event),
    `${String(event['bytes'])} bytes`,
  ];
  await call.terminal.print(call.has('json') ? JSON.stringify(event) : line.map(String).join('  '));
}
