import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { BY_SERVER, Clock } from '#kernel';
import { type Missed, type MissedPart, missedMessagesDecider } from './missed-messages.decider.js';

/** Bounds of one event, and of the work for it. */
const USERS_MAX = 500;
const PAIRS_MAX = 5_000;
/** Messages whose notes share a stream: bounds what a process reads before it notes the first one. */
const MESSAGES_PER_STREAM = 1_000;

/** Records who is to be told of messages by mail; the timers do the rest. */
@Injectable()
export class MissedMessages {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Notes messages together: one event for many costs the log and the read models as much as one for each.
   * @param missed in the order of the log; repeated calls for the same messages change nothing
   */
  async note(missed: readonly Missed[]): Promise<void> {
    for (const [thousand, parts] of packs(missed.flatMap(partsOf))) {
      const command = { type: 'note-missed', parts, at: this.clock.nowSeconds() } as const;
      await this.runner.run(missedMessagesDecider, streams.missedMessages(thousand), command, BY_SERVER);
    }
  }
}

function partsOf({ messageId, users }: Missed): readonly MissedPart[] {
  const parts = Math.ceil(users.length / USERS_MAX);
  return Array.from({ length: parts }, (_, part) => {
    return { messageId, part, users: users.slice(part * USERS_MAX, (part + 1) * USERS_MAX) };
  });
}

/** Parts for one event each, with the thousand that their messages belong to. */
function* packs(parts: readonly MissedPart[]): Generator<readonly [number, readonly MissedPart[]]> {
  let pack: MissedPart[] = [];
  let users = new Set<number>();
  let pairs = 0;
  let thousand = 0;
  for (const part of parts) {
    const its = Math.floor(part.messageId / MESSAGES_PER_STREAM);
    const together = new Set([...users, ...part.users.map(({ userId }) => userId)]);
    const isFull = together.size > USERS_MAX || pairs + part.users.length > PAIRS_MAX;
    if (pack.length > 0 && (its !== thousand || isFull)) {
      yield [thousand, pack];
      [pack, users, pairs] = [[], new Set(part.users.map(({ userId }) => userId)), 0];
    } else users = together;
    pack.push(part);
    pairs += part.users.length;
    thousand = its;
  }
  if (pack.length > 0) yield [thousand, pack];
}
