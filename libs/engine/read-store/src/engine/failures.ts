import type { RecordedEvent } from '#event-store';

type EventPlace = Pick<RecordedEvent, 'position' | 'stream' | 'type' | 'id'>;

/**
 * A projection or follower threw on an event. The loop stops there: a recorded event is never skipped. Names the event, and
 * holds nothing of its contents, since it is printed and logged.
 */
export class ParticipantFailed extends Error {
  readonly event: EventPlace;
  readonly reason: string;

  /** @param through all events that may be the cause, when that is not known to be `event` */
  constructor(
    readonly participant: string,
    event: RecordedEvent,
    cause: unknown,
    through: readonly RecordedEvent[] = [event],
  ) {
    const { type, position, stream, id } = event;
    const last = through.at(-1)?.position ?? position;
    const upTo = last === position ? '' : ` or an event up to ${last}`;
    const reason = withoutContents(reasonOf(cause), through).slice(0, REASON_LENGTH_MAX);
    super(`${participant} failed on ${type} at position ${position} of ${stream} (${id})${upTo}: ${reason}`);
    this.name = 'ParticipantFailed';
    this.event = { position, stream, type, id };
    this.reason = reason;
    this.throughPosition = last;
    // Where it failed says more than where that was noticed.
    this.stack = [`${this.name}: ${this.message}`, ...framesOf(cause)].join('\n');
  }

  /** Last event of the batch, when any event from `event` to this one may be the cause. */
  readonly throughPosition: number;
}

/**
 * Does what a participant does with an event.
 * @throws ParticipantFailed when that fails
 */
export function atEvent<Result>(participant: string, event: RecordedEvent, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new ParticipantFailed(participant, event, error);
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
  /** ID of the event at `position`. */
  readonly id?: string;
}

const REASON_LENGTH_MAX = 500;
/** Shorter ones are parts of words and of numbers as well: they go where they stand alone. */
const CONTENT_LENGTH_MIN = 3;
const QUOTED = /(["'`]).*?\1/gsu;

export function failureOf(error: unknown): EngineFailure {
  if (error instanceof ParticipantFailed) {
    const { reason, participant, throughPosition } = error;
    const through = throughPosition > error.event.position && { throughPosition };
    return { reason, participant, ...error.event, ...through };
  }
  const hasPosition = error instanceof Error && 'position' in error && typeof error.position === 'number';
  return {
    reason: reasonOf(error).slice(0, REASON_LENGTH_MAX),
    ...(hasPosition && { position: error.position as number }),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // What a parser complains about is a piece of its input.
  return error instanceof SyntaxError ? error.name : `${error.name}: ${error.message}`;
}

/** Messages of the runtime and of drivers quote values. */
function withoutContents(reason: string, events: readonly RecordedEvent[]): string {
  const contents = new Set(contentsOf(events.map(({ data, metadata }): unknown[] => [data, metadata])));
  let text = reason;
  // A shorter one may be a part of a longer one.
  for (const content of [...contents].toSorted((one, other) => other.length - one.length)) {
    if (content.length >= CONTENT_LENGTH_MIN) text = text.replaceAll(content, '…');
    else if (content !== '') text = text.replaceAll(new RegExp(`(?<!\\w)${escaped(content)}(?!\\w)`, 'gu'), '…');
  }
  const words = new Set([...contents].flatMap(wordsOf));
  // Keys of indexes and the like are made of contents: in lower case, or one word of many.
  return text.replaceAll(QUOTED, (quoted, quote: string) =>
    wordsOf(quoted).some((word) => words.has(word)) ? `${quote}…${quote}` : quoted,
  );
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}

/** Strings and numbers, as text. */
function* contentsOf(value: unknown): Generator<string, void, void> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) yield* contentsOf(item);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function framesOf(error: unknown): string[] {
  return error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)) : [];
}
