import { parseArgs } from 'node:util';
import { copyBetween, givenAddress } from './copy-log.js';
import { readFacts, readMessageHistory, verify } from './log.js';
import { logAddress, logFile, openLog } from './log-address.js';
import { OperatorClient } from './operator-client.js';

const USAGE = `scrollback: for auditors and operators

  scrollback log [STREAM]        the facts of the log, or of one stream, a JSON line each
  scrollback history MESSAGE_ID  everything that ever happened to a message
  scrollback verify              read every record, and find what is damaged or missing
  scrollback copy-log FROM TO    copy a log, or go on with a copy: sqlite:PATH, esdb://…, or env:NAME for the address in
                                 a variable of the environment
  scrollback status              where each projection of the running server stands
  scrollback rebuild PROJECTION  build a projection again while the server runs

  --data DIR   the server's data directory (default: DATA_DIR, or ./data)
  --site URL   where the server is asked (default: what owner.zuliprc says)
  --help       this text

The log is DIR/events.db unless EVENT_STORE_URL names another. The status and the rebuild are asked of the server, or of the
proxy before several, with the owner's credentials in DIR/owner.zuliprc.`;

/** Ends quietly when whoever reads the output has seen enough (`| head`). */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

async function printAll(facts: AsyncIterable<object>): Promise<number> {
  let count = 0;
  for await (const fact of facts) {
    count++;
    if (!process.stdout.write(`${JSON.stringify(fact)}\n`))
      await new Promise((drained) => process.stdout.once('drain', drained));
  }
  return count;
}

/** Nothing found is an answer of its own: a mistyped name must not look like a stream without facts. */
async function printFound(facts: AsyncIterable<object>, what: string): Promise<number> {
  if ((await printAll(facts)) > 0) return 0;
  console.error(`The log has no ${what}.`);
  return 1;
}

/** As the server reads it: an empty value is no value. */
function dataDirectory(): string {
  const given = process.env['DATA_DIR'];
  return given === undefined || given === '' ? './data' : given;
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { data: { type: 'string' }, site: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  const [command, argument, target] = positionals;
  const dataDir = values.data ?? dataDirectory();
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  if (command === 'status') {
    console.log(JSON.stringify(await new OperatorClient(dataDir, values.site).call('GET', 'projections'), null, 2));
    return 0;
  }
  if (command === 'rebuild' && argument !== undefined) {
    const path = `projections/${encodeURIComponent(argument)}/rebuild`;
    console.log(JSON.stringify(await new OperatorClient(dataDir, values.site).call('POST', path)));
    return 0;
  }
  if (command === 'copy-log' && argument !== undefined && target !== undefined) return copyLog(argument, target);
  const isHistory = command === 'history' && /^\d{1,15}$/.test(argument ?? '');
  if (isHistory || command === 'log' || command === 'verify')
    return readLog(command, argument, logAddress(dataDir, process.env['EVENT_STORE_URL']));
  console.error(USAGE);
  return 2;
}

async function readLog(
  command: 'log' | 'history' | 'verify',
  argument: string | undefined,
  address: string,
): Promise<number> {
  const store = await openLog(address).catch((error: unknown) => {
    throw error instanceof TypeError ? new Error(`EVENT_STORE_URL: ${error.message}`) : error;
  });
  try {
    if (command === 'verify') {
      console.log(JSON.stringify(await verify(store, logFile(address))));
      return 0;
    }
    if (command === 'history')
      return await printFound(readMessageHistory(store, Number(argument)), `message ${argument ?? ''}`);
    if (argument !== undefined) return await printFound(readFacts(store, argument), `stream ${argument}`);
    await printAll(readFacts(store, undefined));
    return 0;
  } finally {
    await store.close();
  }
}

async function copyLog(from: string, to: string): Promise<number> {
  const interruption = new AbortController();
  const interrupt = (): void => {
    interruption.abort();
  };
  // npm passes on a signal that the process group got as well.
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const { env } = process;
  try {
    const copied = await copyBetween({
      from: givenAddress(from, env),
      to: givenAddress(to, env),
      signal: interruption.signal,
      tell: (line) => {
        console.error(line);
      },
    });
    console.log(JSON.stringify(copied));
    return 0;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    console.error('Interrupted. The same command goes on from here.');
    return 130;
  }
}

/** What a store waits for while it closes need not keep the process alive; a command that is not done must. */
const alive = setInterval(() => undefined, 60_000);

main()
  .then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    },
  )
  .finally(() => {
    clearInterval(alive);
  });
