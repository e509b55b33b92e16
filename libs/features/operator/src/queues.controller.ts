import { Controller, Get } from '@nestjs/common';
import { EventQueues } from '#feed';
import { ApiTags, Caller, Params, TakesOperator } from '#http';
import { assertOwner, Directory, type User } from '#organization';
import { QueuesParams } from './operator.params.js';

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
  list(@Caller() caller: User, @Params(QueuesParams) { limit }: QueuesParams): object {
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
