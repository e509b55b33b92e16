import { Controller, Delete, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { badEventQueueId, EventQueues } from '#feed';
import {
  Answers,
  ApiTags,
  Caller,
  ClientName,
  CountsCalls,
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
  @WritesAnswer(object({ events: list(component('Event')), queue_id: text }))
  @Summary(
    'Wait for events',
    'Answers when there are some, or with a heartbeat. Acknowledges all events up to `last_event_id`.',
  )
  @CountsCalls()
  async poll(
    @Caller() user: User,
    @ClientName() clientName: string,
    @SessionId() session: string | undefined,
    @Params(PollParams) params: PollParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { queueId, lastEventId } = await this.#queueOf(user, { clientName, session }, params);
    const send = (events: string): void => {
      sendFields(reply, `"events":${events},"queue_id":${JSON.stringify(queueId)}`);
    };
    if (params.queue_id !== undefined) await this.limits.pace(queueId, user);
    const polled = await this.queues.poll(queueId, user.userId, lastEventId, params.dont_block);
    switch (polled.kind) {
      case 'gone':
        // Nobody finds a queue by trying names.
        this.limits.count(user);
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

  @Delete()
  @RecordsNothing()
  @Answers()
  @Summary('End an event queue', 'A poll that waits on it is answered.')
  async remove(@Caller() user: User, @Params(DeleteQueueParams) params: DeleteQueueParams): Promise<void> {
    await this.queues.remove(params.queue_id, user.userId);
  }

  /** The named queue, or a new one when none is named. */
  async #queueOf(
    user: User,
    { clientName, session }: { readonly clientName: string; readonly session: string | undefined },
    params: PollParams,
  ): Promise<{ readonly queueId: string; readonly lastEventId: number }> {
    const { queue_id: queueId, last_event_id: lastEventId } = params;
    if (queueId !== undefined) {
      if (lastEventId !== undefined) return { queueId, lastEventId };
      this.limits.count(user);
      throw badRequest("Missing 'last_event_id' argument");
    }
    this.limits.count(user);
    // A poll that only forgot the name of its queue must not wait on a new one, which nobody knows.
    if (!params.dont_block && !params.asksForQueue)
      throw new Refusal('REQUEST_VARIABLE_MISSING', "Missing 'queue_id' argument", { var_name: 'queue_id' });
    const settings = queueSettings(params, clientName, user, this.directory);
    const registered = await this.queues.register(user, settings, params.queue_lifespan_secs, session);
    return { queueId: registered.queueId, lastEventId: -1 };
  }
}
