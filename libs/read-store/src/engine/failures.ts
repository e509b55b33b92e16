import type { RecordedEvent } from '#event-store';

/** A projection or follower threw on an event. The loop stops there: a recorded event is never skipped. */
export class ParticipantFailed extends Error {
  constructor(
    readonly participant: string,
    readonly event: RecordedEvent,
    cause: unknown,
    /** Last event of the batch, when any event from `event` to this one may be the cause. */
    readonly throughPosition = event.position,
  ) {
    const { type, position, stream } = event;
    const through = throughPosition === position ? '' : ` or an event up to ${throughPosition}`;
    super(`${participant} failed on ${type} at position ${position} of ${stream}${through}: ${reasonOf(cause)}`, {
      cause,
    });
    this.name = 'ParticipantFailed';
  }
}

/** Why the engine stopped, for operators. */
export interface EngineFailure {
  readonly reason: string;
  readonly participant?: string;
  readonly position?: number;
  /** The cause is an event from `position` to this one. */
  readonly throughPosition?: number;
  readonly type?: string;
  readonly stream?: string;
}

const REASON_LENGTH_MAX = 500;

export function failureOf(error: unknown): EngineFailure {
  if (error instanceof ParticipantFailed) {
    const { participant, throughPosition } = error;
    const { position, type, stream } = error.event;
    const through = throughPosition > position && { throughPosition };
    return { reason: reasonOf(error.cause), participant, position, type, stream, ...through };
  }
  const hasPosition = error instanceof Error && 'position' in error && typeof error.position === 'number';
  return { reason: reasonOf(error), ...(hasPosition && { position: error.position as number }) };
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown').slice(0, REASON_LENGTH_MAX);
}
