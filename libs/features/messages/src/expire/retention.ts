import { Injectable } from '@nestjs/common';
import { badRequest, BY_SERVER, Clock, Mutex, sleep, Slices } from '#kernel';
import { Directory } from '#people';
import { RetentionSwitch } from '#realm/model';
import type { GatedWork, ReadSidePass } from '#read-store';
import { MessageCommands } from '../existing/message-commands.js';
import { type MessageRow, MessagesReader } from '../existing/messages.reader.js';
import { oldestLeft } from '../existing/oldest-left.js';
import { type Mentioned, mentionedOutside } from '../model/mentioned-outside.js';
import type { Place } from '../model/messages.events.js';
import { parseConversation } from '../model/place.js';
import { DueMessages, type Kept } from './due-messages.js';
import type { ExpiringPlace } from './expiry.commands.js';
import { expiryDecider } from './expiry.decider.js';
import { goneAt } from './retention-policy.js';

/** Also the time after which another process goes on where one was killed, which held the work for some seconds longer. */
const EVERY_MS = 30_000;
/** Of the time, at most a quarter goes into removals: changes of messages wait for each of them. */
const PAUSE_SHARE = 3;
const PAUSE_MS_MIN = 20;
/** Without a turn for this long another process removes, and what this one found last is out of date. */
const FOUND_LASTS_MS = 10 * 60 * 1_000;

/** How removals go, as this process knows. */
export interface RetentionProgress {
  /** Messages removed since the start. */
  readonly removed: number;
  /** Turns that failed since the start. */
  readonly failures: number;
  /** Time since the last turn that left nothing, or since the start while there was none. */
  readonly passAgeSeconds: number;
  /** How long ago the oldest message of the last step should have been removed; 0 when nothing is left, undefined without a turn. */
  readonly behindSeconds: number | undefined;
}

/**
 * Removes messages whose time is over, oldest first, by events in steps of bounded size, with other requests in between. Nothing is
 * kept of how far it came: what is left is found again. Files to which nothing refers any more are left to their clean-up.
 */
@Injectable()
export class Retention implements GatedWork {
  readonly name = 'retention';
  readonly complaint = 'Messages whose time is over cannot be removed at the moment.';
  readonly everyMs = EVERY_MS;
  readonly removes = true;
  readonly isExclusive = true;
  /** An interrupted turn goes on with the next start, or when nobody holds the work any more. */
  readonly isDue = true;
  readonly #turns = new Mutex();
  #removed = 0;
  #failures = 0;
  #passedMs: number;
  #lookedMs: number | undefined;
  /** When the oldest message of the last step should have been removed, in seconds since the epoch; undefined when nothing is left. */
  #dueSince: number | undefined;

  constructor(
    private readonly setting: RetentionSwitch,
    private readonly directory: Directory,
    private readonly due: DueMessages,
    private readonly reader: MessagesReader,
    private readonly commands: MessageCommands,
    private readonly clock: Clock,
  ) {
    this.#passedMs = clock.nowMs();
  }

  /** Messages removed by this process. */
  get removed(): number {
    return this.#removed;
  }

  /** Undefined while nothing is to be removed. */
  progress(): RetentionProgress | undefined {
    if (!this.#isOn) return undefined;
    const nowMs = performance.now();
    const isKnown = this.#lookedMs !== undefined && nowMs - this.#lookedMs < FOUND_LASTS_MS;
    const dueSince = this.#dueSince ?? Infinity;
    return {
      removed: this.#removed,
      failures: this.#failures,
      passAgeSeconds: Math.max(0, this.clock.nowMs() - this.#passedMs) / 1000,
      behindSeconds: isKnown ? Math.max(0, this.clock.nowSeconds() - dueSince) : undefined,
    };
  }

  get isOff(): boolean {
    return !this.#isOn;
  }

  turn(pass: ReadSidePass, signal: AbortSignal): Promise<void> {
    return this.#turns.run(async () => {
      try {
        await this.#turn(pass, signal);
      } catch (error) {
        if (!signal.aborted) this.#failures++;
        throw error;
      }
    });
  }

  get #isOn(): boolean {
    return this.setting.isOn && !this.directory.isDeactivated;
  }

  /** @throws Refusal BAD_REQUEST when the operator has not enabled it */
  assertOn(): void {
    const { whyOff } = this.setting;
    if (whyOff !== undefined) throw badRequest(whyOff);
  }

  async #turn(pass: ReadSidePass, signal: AbortSignal): Promise<void> {
    const mayGoOn = (): boolean => !signal.aborted && this.#isOn;
    if (!mayGoOn()) return;
    const slices = new Slices();
    for (const kept of this.due.kept()) {
      if (slices.isOver) await slices.next();
      let after: number | undefined = 0;
      while (after !== undefined && mayGoOn()) {
        const begunMs = performance.now();
        this.#lookedMs = begunMs;
        // Most looks find nothing, and hold nobody up.
        const { rows, reached } = await this.due.next(kept, after);
        const [oldest] = rows;
        if (oldest === undefined) {
          after = reached;
          continue;
        }
        this.#dueSince = goneAt(kept.policy, oldest.doc.at);
        const from: number = after;
        after = await this.commands.moveLock.exclusive(() => this.#step(kept, from, pass));
        await sleep(Math.max(PAUSE_MS_MIN, (performance.now() - begunMs) * PAUSE_SHARE), signal);
      }
    }
    if (!mayGoOn()) return;
    this.#dueSince = undefined;
    this.#passedMs = this.clock.nowMs();
  }

  /** @returns the ID after which there may be more; undefined when there are none */
  async #step({ channel: known }: Kept, after: number, pass: ReadSidePass): Promise<number | undefined> {
    // Settings and places of now: others may have changed them before the lock was given.
    const channel = known && this.directory.channel(known.channelId);
    const policy = this.due.policyOf(channel);
    if (policy === undefined) return undefined;
    const { rows, reached } = await this.due.next({ channel, policy }, after);
    const [first] = rows;
    if (first === undefined) return reached;
    const ids = rows.map(({ id }) => id);
    const firstLeft = channel === undefined ? undefined : await oldestLeft(this.reader, channel, ids);
    await pass.assertValid();
    const { events } = await this.commands.run(
      expiryDecider,
      {
        messageId: first.id,
        at: this.clock.nowSeconds(),
        organizationDays: this.directory.settings.message_retention_days,
        channelDays: channel?.messageRetentionDays ?? null,
        places: placesOf(this.directory, rows, firstLeft),
      },
      BY_SERVER,
    );
    if (events.length > 0) this.#removed += rows.length;
    return reached;
  }
}

/** The last place says which message is the oldest of the channel from then on. */
function placesOf(
  directory: Directory,
  rows: readonly MessageRow[],
  firstLeft: number | null | undefined,
): readonly ExpiringPlace[] {
  const places = new Map<
    string,
    { place: Place; messages: ExpiringPlace['messages'][number][]; mentioned: Mentioned[number][] }
  >();
  for (const { id, doc } of rows) {
    const key = `${doc.conversation} ${doc.topicKey}`;
    let entry = places.get(key);
    if (entry === undefined) places.set(key, (entry = { place: placeOf(doc), messages: [], mentioned: [] }));
    entry.messages.push({ id, sentAt: doc.at, arrival: doc.arrivals?.at(-1)?.position });
    entry.mentioned.push(...mentionedOutside(directory, [{ id, doc }]));
  }
  const all = [...places.values()];
  return all.map((one, index) => ({ ...one, firstLeft: index === all.length - 1 ? firstLeft : undefined }));
}

function placeOf({ conversation, topic = '' }: MessageRow['doc']): Place {
  const at = parseConversation(conversation);
  return 'participants' in at ? { to: [...at.participants] } : { channelId: at.channelId, topic };
}
