import { Controller, Get } from '@nestjs/common';
import { EventStore, ReadBarrier } from '#event-store';
import { Answers, ApiTags, NotRateLimited, Public, Shutdown, Summary } from '#http';
import { Refusal } from '#kernel';
import { ReadSideOperations } from '#read-store';
import { progressData } from '#runtime';
import { exact, integer, object, optional, type Wire } from '#wire';

const ReadySchema = object({ status: exact('ready'), damaged_records: optional(integer) });

/** Health checks for load balancers and operators. They reveal nothing confidential. */
@ApiTags('operations')
@Public()
@NotRateLimited()
@Controller('health')
export class HealthController {
  constructor(
    private readonly events: EventStore,
    private readonly barrier: ReadBarrier,
    private readonly shutdown: Shutdown,
    private readonly readSide: ReadSideOperations,
  ) {}

  /** The process runs and answers. */
  @Get('live')
  @Answers(object({ status: exact('live') }))
  @Summary('Say that the process runs', 'It answers as long as the process does.')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /** It can append, and its projections are near the head of the log; while they are built, the refusal says how far they are. */
  @Get('ready')
  @Answers(ReadySchema)
  @Summary(
    'Say whether the server takes requests',
    'It can append to the log, and its projections are near the head; 503 otherwise. `damaged_records` is how many damaged records of the log were met since the start, without any absent.',
  )
  ready(): Wire<typeof ReadySchema> {
    this.#assertReady();
    return { status: 'ready', ...this.#damaged() };
  }

  /** Why it is not ready; undefined when it is. */
  get complaint(): string | undefined {
    try {
      this.#assertReady();
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
  }

  /** How much, and not what: places and reasons are for the operator. */
  #damaged(): { readonly damaged_records?: number } {
    const { length } = this.events.damages;
    return length === 0 ? {} : { damaged_records: length };
  }

  #assertReady(): void {
    if (this.shutdown.begun) throw new Refusal('SERVER_NOT_READY', 'The server is shutting down.');
    // The cause names files, so it is only in the log of the request that met it.
    if (this.events.failure !== undefined) throw new Refusal('SERVER_NOT_READY', 'The event log cannot be written.');
    try {
      this.barrier.assertAccepting();
    } catch (error) {
      const { catchUp } = this.readSide.status();
      if (!(error instanceof Refusal)) throw error;
      const progress = catchUp === undefined ? {} : { phase: 'read_models', ...progressData(catchUp) };
      throw new Refusal(error.code, error.message, { ...error.data, ...progress, ...this.#damaged() });
    }
  }
}
