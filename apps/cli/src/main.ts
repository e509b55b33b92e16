import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openLog, readFacts, readMessageHistory, verify } from './log.js';
import { OperatorClient } from './operator-client.js';

const USAGE = `scrollback: for auditors and operators

  scrollback log [STREAM]        the facts of the log, or of one stream, a JSON line each
  scrollback history MESSAGE_ID  everything that ever happened to a message
  scrollback verify              read every record and its checksum
  scrollback status              where each projection of the running server stands
  scrollback rebuild PROJECTION  build a projection again while the server runs

  --data DIR   the server's data directory (default: DATA_DIR, or ./data)`;

/** Ends quietly when whoever reads the output has seen enough (\`| head\`). */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

async function printAll(facts: AsyncIterable<object>): Promise<void> {
  for await (const fact of facts) {
    if (!process.stdout.write(`${JSON.stringify(fact)}\n`))
      await new Promise((drained) => process.stdout.once('drain', drained));
  }
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { data: { type: 'string' } } });
  const [command, argument] = positionals;
  const dataDir = values.data ?? process.env['DATA_DIR'] ?? './data';
  if (command === 'status') {
    console.log(JSON.stringify(await new OperatorClient(dataDir).call('GET', 'projections'), null, 2));
    return 0;
  }
  if (command === 'rebuild' && argument !== undefined) {
    console.log(
      JSON.stringify(
        await new OperatorClient(dataDir).call('POST', `projections/${encodeURIComponent(argument)}/rebuild`),
      ),
    );
    return 0;
  }
  const reads =
    command === 'log' || command === 'verify' || (command === 'history' && /^\d{1,15}$/.test(argument ?? ''));
  if (!reads) {
    console.error(USAGE);
    return 2;
  }
  const store = openLog(join(dataDir, 'events.db'));
  try {
    if (command === 'log') await printAll(readFacts(store, argument));
    else if (command === 'history') await printAll(readMessageHistory(store, Number(argument)));
    else console.log(JSON.stringify(await verify(store)));
    return 0;
  } finally {
    await store.close();
  }
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
