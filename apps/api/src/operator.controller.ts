import { Controller, Get, Param, Post } from '@nestjs/common';
import { EventStore } from '#event-store';
import { ApiTags, Caller, TakesOperator } from '#http';
import { Refusal, type JsonObject } from '#kernel';
import { ROLE, type User } from '#organization';
import { BackgroundRunner, ReadSideOperations } from '#read-store';

/** Operations on the running server: for its operator, and for owners. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator')
export class OperatorController {
  constructor(
    private readonly readSide: ReadSideOperations,
    private readonly events: EventStore,
    private readonly background: BackgroundRunner,
  ) {}

  /** Position, lag and throughput of each projection, and how the work in the background goes. */
  @Get('projections')
  projections(@Caller() caller: User): JsonObject {
    assertOwner(caller);
    const { failure } = this.events;
    const log = failure === undefined ? {} : { logFailure: describe(failure) };
    return { ...this.readSide.status(), ...log, work: this.background.status() } as unknown as JsonObject;
  }

  /** Rebuilds a projection from the log beside the live one, and swaps them. Answers when the new one is live. */
  @Post('projections/:name/rebuild')
  async rebuild(@Caller() caller: User, @Param('name') name: string): Promise<JsonObject> {
    assertOwner(caller);
    return { ...(await this.readSide.rebuild(name)) };
  }
}

function assertOwner(caller: User): void {
  if (caller.role > ROLE.owner) throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner');
}

/** Includes the cause, since "disk full" and "read-only" need different actions. */
function describe({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
