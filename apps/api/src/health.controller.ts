import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { EventStore, Visibility } from '#event-store';
import { NotRateLimited, Public, Shutdown } from '#http';
import { Refusal } from '#kernel';

/** For load balancers and operators. Neither says anything that a stranger should not know. */
@ApiTags('operations')
@Public()
@NotRateLimited()
@Controller('health')
export class HealthController {
  constructor(
    private readonly events: EventStore,
    private readonly visibility: Visibility,
    private readonly shutdown: Shutdown,
  ) {}

  /** The process runs and answers. */
  @Get('live')
  live(): { status: string } {
    return { status: 'live' };
  }

  /** It can append, and its projections are near the head of the log. */
  @Get('ready')
  ready(): { status: string } {
    if (this.shutdown.begun) throw new Refusal('SERVER_NOT_READY', 'The server is shutting down.');
    // The cause names files and stays in the log of the request that met it.
    if (this.events.failure !== undefined) throw new Refusal('SERVER_NOT_READY', 'The event log cannot be written.');
    this.visibility.assertAccepting();
    return { status: 'ready' };
  }
}
