import { DamagedRecord, type EventStore } from '#event-store';
import { scrollback } from '#runtime';
import { openLog, logAddress, logFile, uploadsOf } from '../log-address.js';
import type { Command, CommandCall, CommandGroup, Terminal } from '../command.js';
import { ExpectedContents, verifyContents } from '../contents.js';
import { DAMAGE_EXIT_CODE, DamageReport } from '../damage.js';
import { readEvents, readMessageHistory } from '../log.js';
import { messageIdComplaint } from '../usage.js';
import { verify } from '../verify.js';
import { repair } from './repair.js';

const log: Command = {
  name: 'log',
  args: '[STREAM]',
  summary: 'the events of the log, or of one stream, as JSON lines',
  run: (call) =>
    withLog(call, async ({ store, report }) => {
      const { args, terminal } = call;
      const [stream] = args;
      const events = readEvents(store, stream, report.add);
      if (stream !== undefined) return printFound(events, `stream ${stream}`, terminal);
      await printAll(events, terminal);
      return 0;
    }),
};

const history: Command = {
  name: 'history',
  args: 'MESSAGE_ID',
  summary: 'all events of a message',
  complaint: messageIdComplaint,
  run: (call) =>
    withLog(call, ({ store, report }) => {
      const [id = ''] = call.args;
      return printFound(readMessageHistory(store, Number(id), report.add), `message ${id}`, call.terminal);
    }),
};

const verifyLog: Command = {
  name: 'verify',
  summary: 'read every record and the content of every file, and report damaged or missing ones',
  run: (call) => {
    const { terminal, dataDir } = call;
    const blobs = uploadsOf(dataDir, terminal.environment['UPLOADS_URL']);
    return withLog(call, async ({ store, address, report }) => {
      const expected = new ExpectedContents(scrollback.features.contents);
      const { events, head } = await verify({
        store,
        file: logFile(address),
        registry: scrollback.registry,
        onDamage: report.add,
        look: (event) => {
          expected.look(event);
        },
      });
      const { right, wrong } = await verifyContents(expected, blobs, (line) => {
        terminal.tell(line);
      });
      const damaged = report.count === 0 ? {} : { damaged: report.count };
      const contents = right + wrong === 0 ? {} : { contents: right, wrong };
      await terminal.print(JSON.stringify({ events, head, ...damaged, ...contents }));
      return wrong === 0 ? 0 : 1;
    });
  },
};

/** Commands that read the log. */
export const logCommands: CommandGroup = { heading: 'The log', commands: [log, history, verifyLog, repair] };

interface OpenedLog {
  readonly store: EventStore;
  readonly address: string;
  readonly report: DamageReport;
}

/** @returns what the work does, unless a record is damaged */
async function withLog({ terminal, dataDir }: CommandCall, work: (log: OpenedLog) => Promise<number>): Promise<number> {
  const address = logAddress(dataDir, terminal.environment['EVENT_STORE_URL']);
  const report = new DamageReport((line) => {
    terminal.tell(line);
  });
  try {
    const store = await openLog(address).catch((error: unknown) => {
      throw error instanceof TypeError ? new Error(`EVENT_STORE_URL: ${error.message}`) : error;
    });
    try {
      const code = await work({ store, address, report });
      return report.count === 0 ? code : DAMAGE_EXIT_CODE;
    } finally {
      await store.close();
    }
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    // Not even the list of its tables can be read.
    report.add(error);
    return DAMAGE_EXIT_CODE;
  }
}

async function printAll(events: AsyncIterable<object>, terminal: Terminal): Promise<number> {
  let count = 0;
  for await (const event of events) {
    count++;
    await terminal.print(JSON.stringify(event));
  }
  return count;
}

/** An empty result is reported: a mistyped name must not look like a stream without events. */
async function printFound(events: AsyncIterable<object>, what: string, terminal: Terminal): Promise<number> {
  if ((await printAll(events, terminal)) > 0) return 0;
  terminal.tell(`The log has no ${what}.`);
  return 1;
}
