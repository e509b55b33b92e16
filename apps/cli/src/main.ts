import { setPriority } from 'node:os';
import { runCommand } from './command-line.js';

/** Ends quietly when the reader closes the output (`| head`). */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  console.error(`The output cannot be written: ${error.message}.`);
  process.exit(1);
});

/** Niceness of work beside a running server. */
const BESIDE_A_SERVER = 10;

/** Timers of a store that is closing do not keep the process alive; a command that is not done must. */
const alive = setInterval(() => undefined, 60_000);

void runCommand(process.argv.slice(2), {
  environment: process.env,
  hasColours: process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '',
  async print(line) {
    if (!process.stdout.write(`${line}\n`)) await new Promise((drained) => process.stdout.once('drain', drained));
  },
  tell(line) {
    console.error(line);
  },
  ...(process.stderr.isTTY
    ? {
        redraw(line: string) {
          process.stderr.write(`\r\u001b[K${line}`);
        },
      }
    : {}),
  giveWay() {
    setPriority(BESIDE_A_SERVER);
  },
  onInterrupt(stop) {
    // npm forwards a signal that the process group received as well.
    process.on('SIGINT', stop).on('SIGTERM', stop);
  },
})
  .then((code) => {
    process.exitCode = code;
  })
  .finally(() => {
    clearInterval(alive);
  });
