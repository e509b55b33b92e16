import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { JsonFields, type PreparedFields, type RegisterContext, type RegisterFields } from '#feature';
import type { QueueSettings } from '#feed';
import { EventQueues } from '#feed';
import { Clock, type JsonPiece } from '#kernel';
import { Directory } from '#people';
import { isSpectator, type User } from '#users/model';
import { Site, versionFields } from '#realm/model';
import { addEmpty } from './empty.fields.js';
import { StillReads } from './still-reads.js';

/** Injects the register fields of all features, in their order. */
export const REGISTER_FIELDS = Symbol('register fields');

/**
 * Maximum attempts to read fields beforehand. Events that invalidate them are rare: changes of the organization, or by
 * the viewer.
 */
const PREPARATIONS_MAX = 3;

/** Answer to a spectator: they receive the state, and no events. */
const NO_QUEUE = { queueId: null, lastEventId: -1 } as const;

/** Parameters of a registration. */
export interface RegistrationRequest {
  readonly settings: QueueSettings;
  /** Event types whose state to fetch; null = all. */
  readonly fetchEventTypes: readonly string[] | null;
  readonly pronouns: boolean;
  readonly presenceHistoryDays: number;
  /** Seconds; 0 for the default. */
  readonly lifespanSeconds: number;
  /** See `EventQueues.register`. */
  readonly session: string | undefined;
}

/** Registers a queue for a client and returns the state from which it continues (endpoints.md §15, POST /register). */
@Injectable()
export class Registration {
  readonly #answered: ReadonlySet<string>;

  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly clock: Clock,
    private readonly queues: EventQueues,
    private readonly reads: StillReads,
    @Inject(REGISTER_FIELDS) private readonly features: readonly RegisterFields[],
  ) {
    this.#answered = new Set(features.flatMap(({ keys }) => keys));
  }

  /** The reply's fields as JSON text, in pieces. State and queue are of the same position of the log. */
  async register(viewer: User, request: RegistrationRequest): Promise<readonly JsonPiece[]> {
    const { settings, fetchEventTypes, lifespanSeconds, session } = request;
    const context: RegisterContext = {
      directory: this.directory,
      viewer,
      settings,
      keys: fetchEventTypes === null ? null : new Set(fetchEventTypes),
      includeSubscribers: settings.includeSubscribers,
      pronouns: request.pronouns,
      presenceHistoryDays: request.presenceHistoryDays,
      siteUrl: this.site.url,
      nowMs: this.clock.nowMs(),
    };
    for (const feature of this.features) await feature.warm?.(context);
    const { fields, registered } = await this.#read(context, async (prepared) => {
      const fields = await this.#state(context, prepared);
      return {
        fields,
        registered: isSpectator(viewer) ? NO_QUEUE : this.queues.register(viewer, settings, lifespanSeconds, session),
      };
    });
    const queue = await registered;
    // Events have waited for this state: they become visible before megabytes of it are written.
    await nextTurn();
    return fields
      .addAll({ queue_id: queue.queueId, last_event_id: queue.lastEventId, ...versionFields() })
      .addAll('lifespanSeconds' in queue ? { idle_queue_timeout_secs: queue.lifespanSeconds } : {})
      .pieces();
  }

  /**
   * Runs `take` while no projection and no directory moves. Slow reads have been done before, so that commands do not
   * wait for them.
   */
  async #read<Taken>(
    context: RegisterContext,
    take: (prepared: readonly (PreparedFields | undefined)[]) => Promise<Taken>,
  ): Promise<Taken> {
    for (let preparation = 1; ; preparation++) {
      const prepared = await this.reads.still(() =>
        Promise.resolve(this.features.map((feature) => feature.prepare?.(context))),
      );
      try {
        for (const fields of prepared) await fields?.read();
        const taken = await this.reads.still(async () => {
          const isUsable = prepared.every((fields) => fields?.isUsable !== false);
          return isUsable || preparation === PREPARATIONS_MAX ? { value: await take(prepared) } : undefined;
        });
        if (taken !== undefined) return taken.value;
      } finally {
        for (const fields of prepared) fields?.end();
      }
    }
  }

  async #state(context: RegisterContext, prepared: readonly (PreparedFields | undefined)[]): Promise<JsonFields> {
    const fields = new JsonFields();
    for (const [index, feature] of this.features.entries()) await (prepared[index] ?? feature).addTo(fields, context);
    addEmpty(fields, context, this.#answered);
    return fields;
  }
}
