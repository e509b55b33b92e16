import { type Damage, damageLine } from '#event-store';
import type { EngineStatus, WorkStatus } from '#read-store';
import type { CommandCall } from './command.js';
import { fieldsOf, type OperatorClient } from './operator-client.js';
import { durationOf, tableOf, timeOf } from './table.js';

type Failure = NonNullable<EngineStatus['failure']>;
type Status = EngineStatus & {
  readonly work: readonly WorkStatus[];
  readonly logFailure?: unknown;
  readonly logDamages?: readonly Damage[];
};

/** Prints how the running server's read side goes, and its work in the background. @returns the exit code */
export async function printStatus(call: CommandCall, server: OperatorClient): Promise<number> {
  const status = fieldsOf(await server.call('GET', 'projections'));
  const lines = call.has('json') ? [JSON.stringify(status)] : linesOf(status as unknown as Status);
  for (const line of lines) await call.terminal.print(line);
  return 0;
}

function linesOf(status: Status): readonly string[] {
  const { state, position, head, lagMs, waiting, catchUp, failure, logFailure, logDamages = [], work } = status;
  const left = catchUp && `; ${Math.round(catchUp.eventsPerSecond)} events/s, ${durationOf(catchUp.secondsLeft)} left`;
  return [
    `${state} at position ${position} of ${head}, ${lagMs} ms behind; ${waiting} requests wait${left ?? ''}`,
    ...(failure === undefined ? [] : [`stopped: ${[failure.participant ?? [], placeOf(failure)].flat().join(': ')}`]),
    ...(logFailure === undefined ? [] : [`the log fails: ${JSON.stringify(logFailure)}`]),
    ...logDamages.map(damageLine),
    '',
    ...tableOf(projectionsOf(status), {
      PROJECTION: ({ name }) => name,
      POSITION: (one) => one.position,
      BEHIND: ({ lagEvents }) => lagEvents,
      'EVENTS/S': ({ eventsPerSecond }) => Math.round(eventsPerSecond),
      '': ({ notes }) => notes.join('; '),
    }),
    '',
    ...tableOf(
      work.map((one) => ({ ...one })),
      {
        WORK: ({ name }) => name,
        RUNNING: ({ isRunning }) => isRunning,
        TURNS: ({ turns }) => turns,
        'FAILURES SINCE': ({ failures }) => failures,
      },
    ),
  ];
}

type Shown = {
  readonly name: string;
  readonly position: number;
  readonly lagEvents: number;
  readonly eventsPerSecond: number;
  readonly notes: readonly string[];
};

function projectionsOf({ participants, rebuilds }: Status): readonly Shown[] {
  return participants.map(({ name, position, lagEvents, eventsPerSecond, setAside, former }) => {
    const notes = [];
    if (setAside !== undefined) notes.push(`set aside: ${placeOf(setAside)}`);
    const rebuild = rebuilds.find((one) => one.name === name);
    if (rebuild?.failure !== undefined) notes.push(`rebuild given up: ${placeOf(rebuild.failure)}`);
    else if (rebuild !== undefined)
      notes.push(`being rebuilt, at ${rebuild.position} of ${rebuild.head}, ${durationOf(rebuild.secondsLeft)} left`);
    if (former !== undefined) notes.push(`former build kept until ${timeOf(former.keptUntilMs / 1000)}`);
    return { name, position, lagEvents, eventsPerSecond, notes };
  });
}

/** Which event a failure is about, and why. */
function placeOf({ type, position, throughPosition, reason }: Failure): string {
  const through = throughPosition === undefined ? '' : ` to ${throughPosition}`;
  const event = position === undefined ? [] : [`${type ?? 'an event'} at position ${position}${through}`];
  return [...event, reason].join(': ');
}
