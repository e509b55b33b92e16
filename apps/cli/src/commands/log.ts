import { scrollback } from '#runtime';
import type { EventStore } from '#event-store';
import { openLog, logAddress, logFile, uploadsOf } from '../log-address.js';
import type { Command, CommandCall, CommandGroup, Terminal } from '../command.js';
import { ExpectedContents, verifyContents } from '../contents.js';
import { readEvents, readMessageHistory, verify } from '../log.js';
import { messageIdComplaint } from '../usage.js';

const log: Command = {
  name: 'log',
  args: '[STREAM]',
  summary: 'the events of the log, or of one stream, as JSON lines',
  run: (call) =>
    withLog(call, async (store) => {
      const { args, terminal } = call;
      const [stream] = args;
      if (stream !== undefined) return printFound(readEvents(store, stream), `stream ${stream}`, terminal);
      await printAll(readEvents(store, undefined), terminal);
      return 0;
    }),
};

const history: Command = {
  name: 'history',
  args: 'MESSAGE_ID',
  summary: 'all events of a message',
  complaint: messageIdComplaint,
  run: (call) =>
    withLog(call, (store) => {
      const [id = ''] = call.args;
      return printFound(readMessageHistory(store, Number(id)), `message ${id}`, call.terminal);
    }),
};

const verifyLog: Command = {
  name: 'verify',
  summary: 'read every record and the content of every file, and report damaged or missing ones',
  run: (call) => {
    const { terminal, dataDir } = call;
    const blobs = uploadsOf(dataDir, terminal.environment['UPLOADS_URL']);
    return withLog(call, async (store, address) => {
      const expected = new ExpectedContents(scrollback.features.contents);
      const verified = await verify(store, logFile(address), (event) => {
        expected.look(event);
      });
      const { right, wrong } = await verifyContents(expected, blobs, (line) => {
        terminal.tell(line);
      });
      await terminal.print(JSON.stringify(right + wrong === 0 ? verified : { ...verified, contents: right, wrong }));
      return wrong === 0 ? 0 : 1;
    });
  },
};

/** Commands that read the log. */
export const logCommands: CommandGroup = { heading: 'The log', commands: [log, history, verifyLog] };

async function withLog(
  { terminal, dataDir }: CommandCall,
  work: (store: EventStore, address: string) => Promise<number>,
): Promise<number> {
  const address = logAddress(dataDir, terminal.environment['EVENT_STORE_URL']);
  const store = await openLog(address).catch((error: unknown) => {
    throw error instanceof TypeError ? new Error(`EVENT_STORE_URL: ${error.message}`) : error;
  });
  try {
    return await work(store, address);
  } finally {
    await store.close();
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
