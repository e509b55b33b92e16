import type { CommandCall } from './command.js';
import type { OperatorClient } from './operator-client.js';
import { ProgressBar } from './progress-bar.js';
import { printRows, type Row } from './table.js';

const LOOK_EVERY_MS = 1_000;
/** A line this often, where no bar can be drawn. */
const LINE_EVERY_MS = 5_000;

type Progress = {
  readonly name: string;
  readonly events: number;
  readonly position: number;
  readonly head: number;
  readonly elapsedMs: number;
  readonly eventsPerSecond: number;
  readonly secondsLeft?: number;
  readonly failure?: Readonly<Record<string, unknown>>;
};

/** Rebuilds projections, and tells meanwhile how far they are. @returns the exit code: 1 when one has failed */
export async function rebuildProjections(given: CommandCall, server: OperatorClient): Promise<number> {
  const { args, terminal } = given;
  const names = given.has('all') ? undefined : args.join(',');
  const call = (dryRun: boolean) => server.call('POST', 'rebuilds', { names, dry_run: String(dryRun) });
  if (given.has('dry-run')) return printPlan(given, await call(true));
  const watched = new Watched(server, terminal);
  const { rebuilt } = await watched.until(call(false));
  const outcomes = rebuilt as readonly Progress[];
  for (const { name, failure } of outcomes)
    if (failure !== undefined) terminal.tell(`${name} failed, and the old one stays live: ${JSON.stringify(failure)}`);
  await printRows(given, outcomes, {
    PROJECTION: ({ name }) => name,
    EVENTS: ({ events }) => events,
    SECONDS: ({ elapsedMs }) => (elapsedMs / 1000).toFixed(1),
    'EVENTS/S': ({ eventsPerSecond }) => Math.round(eventsPerSecond),
    LIVE: ({ failure }) => failure === undefined,
  });
  return outcomes.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

/** What a rebuild would build, a line for each projection. @returns the exit code */
async function printPlan(given: CommandCall, answer: Row): Promise<number> {
  const { would_rebuild: names, head, running } = answer;
  const isRunning = new Set(running as readonly string[]);
  const rows = (names as readonly string[]).map((name) => ({ name, head, running: isRunning.has(name) }));
  await printRows(given, rows, {
    'WOULD REBUILD': ({ name }) => name,
    POSITIONS: ({ head: positions }) => positions,
    'IS BEING REBUILT': ({ running: already }) => already,
  });
  return 0;
}

/** Ends all rebuilds, and names those that were going on, a line for each. @returns the exit code */
export async function cancelRebuilds(given: CommandCall, server: OperatorClient): Promise<number> {
  const { cancelled } = await server.call('POST', 'rebuilds/cancel');
  const rows = (cancelled as readonly string[]).map((name) => ({ name }));
  if (rows.length === 0 && !given.has('json')) await given.terminal.print('No rebuild was going on.');
  else await printRows(given, rows, { CANCELLED: ({ name }) => name });
  return 0;
}

/** Compares a projection with one that is built anew. @returns the exit code: 1 when they differ */
export async function diffProjection({ args, terminal }: CommandCall, server: OperatorClient): Promise<number> {
  const [name = ''] = args;
  const watched = new Watched(server, terminal);
  const answer = await watched.until(server.call('POST', `projections/${encodeURIComponent(name)}/diff`));
  const { position, documents, difference } = answer;
  const at = `at position ${String(position)}`;
  if (difference === undefined) {
    await terminal.print(`${name} is equal ${at}: ${String(documents)} documents.`);
    return 0;
  }
  const { key, is } = difference as Readonly<Record<string, unknown>>;
  await terminal.print(`${name} differs ${at}, first at key ${JSON.stringify(key)}: ${String(is)}.`);
  return 1;
}

/** Tells how far rebuilds are until their call is answered: in lines that stay, and in a bar on a terminal. */
class Watched {
  readonly #bar: ProgressBar;
  readonly #failed = new Set<string>();
  #toldMs = performance.now();

  constructor(
    private readonly server: OperatorClient,
    private readonly terminal: CommandCall['terminal'],
  ) {
    this.#bar = new ProgressBar(terminal, 'rebuild', 'positions');
  }

  async until<Answer>(answered: Promise<Answer>): Promise<Answer> {
    const over = answered.then(
      () => true,
      () => true,
    );
    const later = (): Promise<boolean> => new Promise((next) => setTimeout(() => next(false), LOOK_EVERY_MS));
    while (!(await Promise.race([over, later()]))) await this.#look();
    return answered;
  }

  async #look(): Promise<void> {
    // What fails here fails for the call as well, or passes.
    const answer = await this.server.call('GET', 'projections').catch(() => undefined);
    const running = (answer?.['rebuilds'] ?? []) as readonly Progress[];
    for (const { name, failure } of running) {
      if (failure === undefined || this.#failed.has(name)) continue;
      this.#failed.add(name);
      this.terminal.tell(`${name} failed: ${JSON.stringify(failure)}`);
    }
    const [first] = running;
    if (first === undefined) return;
    if (this.terminal.redraw !== undefined) this.#bar.show(first.position, first.head);
    if (performance.now() - this.#toldMs < LINE_EVERY_MS) return;
    this.#toldMs = performance.now();
    this.terminal.redraw?.('');
    this.terminal.tell(lineOf(first, running.length));
  }
}

function lineOf({ position, head, eventsPerSecond, secondsLeft }: Progress, count: number): string {
  const what = count === 1 ? 'one projection' : `${count} projections`;
  const left = secondsLeft === undefined ? 'time left unknown' : `about ${secondsLeft} s left`;
  return `${what}: ${position} of ${head}, ${eventsPerSecond} events/s, ${left}`;
}
