import { Controller, Delete, Get, Res } from '@nestjs/common';
import { badEventQueueId, EventQueues, type Polled } from '#feed';
import {
  Answers,
  ApiTags,
  AskingCaller,
  Caller,
  ClientName,
  CountsCalls,
  Direct,
  type EdgeReply,
  Params,
  RecordsNothing,
  PollLimits,
  sendFields,
  SessionId,
  Shutdown,
  Summary,
  WritesAnswer,
} from '#http';
import { badRequest, Refusal, unreachable } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { component, list, object, text } from '#wire';
import { DeleteQueueParams, PollParams } from './events.params.js';
import { queueSettings } from './queue.params.js';

/** Long polling (rules.md §2 and endpoints.md §15). */
@ApiTags('events')
@Controller('api/v1/events')
export class EventsController {
  constructor(
    private readonly queues: EventQueues,
    private readonly directory: Directory,
    private readonly limits: PollLimits,
    shutdown: Shutdown,
  ) {
    const release = (): void => {
      queues.release();
    };
    shutdown.signal.addEventListener('abort', release, { once: true });
  }

  /** The reply is written here and not by Nest: a message may have to reach thousands of waiting polls at once. */
  @Get()
  @Direct()
  @WritesAnswer(object({ events: list(component('Event')), queue_id: text }))
  @Summary(
    'Wait for events',
    'Answers when there are some, or with a heartbeat. Acknowledges all events up to `last_event_id`.',
  )
  @CountsCalls()
  poll(
    @AskingCaller() user: User,
    @ClientName() clientName: string,
    @SessionId() session: string | undefined,
    @Params(PollParams) params: PollParams,
    @Res() reply: EdgeReply,
  ): Promise<void> | undefined {
    const named = this.#named(user, params, reply);
    if (named === undefined) {
      const settings = queueSettings(params, clientName, user, this.directory);
      return this.queues
        .register(user, settings, params.queue_lifespan_secs, session)
        .then(({ queueId }) => this.#answer({ queueId, lastEventId: -1 }, user, params, reply));
    }
    const pause = this.limits.pace(named.queueId, user, reply);
    if (pause !== undefined) return pause.then(() => this.#answer(named, user, params, reply));
    return this.#answer(named, user, params, reply);
  }

  @Delete()
  @RecordsNothing()
  @Answers()
  @Summary('End an event queue', 'A poll that waits on it is answered.')
  async remove(@Caller() user: User, @Params(DeleteQueueParams) params: DeleteQueueParams): Promise<void> {
    await this.queues.remove(params.queue_id, user.userId);
  }

  /** Nothing is awaited that need not be: this is done for each event and receiver. */
  #answer(place: Place, user: User, { dont_block }: PollParams, reply: EdgeReply): Promise<void> | undefined {
    const polled = this.queues.poll(place.queueId, user.userId, place.lastEventId, dont_block);
    if (!(polled instanceof Promise)) {
      this.#settle(place, user, polled, reply);
      return undefined;
    }
    return polled.then((later) => {
      this.#settle(place, user, later, reply);
    });
  }

  #settle({ queueId }: Place, user: User, polled: Polled, reply: EdgeReply): void {
    const send = (events: string): void => {
      sendFields(reply, `"events":${events},"queue_id":${JSON.stringify(queueId)}`);
    };
    switch (polled.kind) {
      case 'gone':
        // Nobody finds a queue by trying names.
        this.limits.count(user, reply);
        throw badEventQueueId(queueId);
      case 'events':
        send(polled.events);
        return;
      case 'wait': {
        const { held } = polled;
        held.onAnswer(send);
        // The poll of a disconnected client must neither keep its place nor count as listening.
        if (reply.raw.destroyed) held.abandon();
        else
          reply.raw.once('close', () => {
            held.abandon();
          });
        return;
      }
      default:
        unreachable(polled);
    }
  }

  /** The place in the named queue; undefined for a poll that asks for a new one. */
  #named(user: User, params: PollParams, reply: EdgeReply): Place | undefined {
    const { queue_id: queueId, last_event_id: lastEventId } = params;
    if (queueId !== undefined) {
      if (lastEventId !== undefined) return { queueId, lastEventId };
      this.limits.count(user, reply);
      throw badRequest("Missing 'last_event_id' argument");
    }
    this.limits.count(user, reply);
    // A poll that only forgot the name of its queue must not wait on a new one, which nobody knows.
    if (!params.dont_block && !params.asksForQueue)
      throw new Refusal('REQUEST_VARIABLE_MISSING', "Missing 'queue_id' argument", { var_name: 'queue_id' });
    return undefined;
  }
}

/** Where a client is in its queue. */
interface Place {
  readonly queueId: string;
  readonly lastEventId: number;
}
