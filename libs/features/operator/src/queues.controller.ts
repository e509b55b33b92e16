import { Controller, Get } from '@nestjs/common';
import { EventQueues } from '#feed';
import { Answers, ApiTags, Caller, Params, Summary, TakesOperator } from '#http';
import { assertOwner, type User } from '#users/model';
import { Directory } from '#people';
import { described, integer, list, nullable, object, text, truth, type Wire } from '#wire';
import { QueuesParams } from './operator.params.js';

const QueuesAnswerSchema = object({
  total: integer,
  held: described(integer, 'Polls that wait.'),
  queues: list(
    object({
      queue_id: text,
      user_id: integer,
      full_name: nullable(text),
      is_held: truth,
      idle_seconds: integer,
      lifespan_seconds: integer,
      behind: described(integer, 'Positions of the log that it has not been told of.'),
    }),
  ),
});

/** Event queues of the process that answers. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator/queues')
export class QueuesController {
  constructor(
    private readonly queues: EventQueues,
    private readonly directory: Directory,
  ) {}

  /** The queues that are the farthest behind, with the number of all. Their IDs alone open nothing. */
  @Get()
  @Answers(QueuesAnswerSchema)
  @Summary(
    'List event queues',
    'Those of the process that answers, the farthest behind first. For the operator and owners.',
  )
  list(@Caller() caller: User, @Params(QueuesParams) { limit }: QueuesParams): Wire<typeof QueuesAnswerSchema> {
    assertOwner(caller);
    const states = [...this.queues.states()].sort((one, other) => other.behind - one.behind);
    return {
      total: states.length,
      held: this.queues.heldCount,
      queues: states.slice(0, limit).map((queue) => ({
        queue_id: queue.queueId,
        user_id: queue.userId,
        full_name: this.directory.user(queue.userId)?.fullName ?? null,
        is_held: queue.isHeld,
        idle_seconds: Math.round(queue.idleMs / 1000),
        lifespan_seconds: Math.round(queue.lifespanMs / 1000),
        behind: queue.behind,
      })),
    };
  }
}
