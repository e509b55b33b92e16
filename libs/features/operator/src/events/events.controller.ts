import { Controller, Get, Param } from '@nestjs/common';
import { type Checkpoint, EventStore, ForeignCheckpoint, isStreamName, type RecordedEvent } from '#event-store';
import { Answers, ApiTags, Caller, Params, Summary, TakesOperator } from '#http';
import { badRequest, Refusal } from '#kernel';
import { assertOwner, type User } from '#users/model';
import { ReadStore } from '#read-store';
import { described, list, nullable, object, text, truth, type Wire } from '#wire';
import { type EventRow, EventRowSchema, fits, rowOf } from './event-row.js';
import { StreamParams, TailParams } from './events.params.js';

/** As stores write their checkpoints. */
const CURSOR = /^\d{1,19}(?:\/\d{1,19})?@[\da-f-]{36}$/;
/** Events that one request looks through: some 100 ms, in pages between which other requests run. */
const SCANNED_MAX = 5_000;
const SCANNED_LENGTH_MAX = 4 * 1024 * 1024;

const StreamAnswerSchema = object({ events: list(EventRowSchema), is_last: truth });
const TailAnswerSchema = object({
  events: list(EventRowSchema),
  next: described(nullable(text), 'Where the next request goes on; null: the log is empty.'),
  is_last: described(truth, 'Whether the end of the log was reached.'),
});

/**
 * Events of the log without contents: who did what, when, and how large it is. Owners can ask here as well, and neither they nor
 * operators are auditors; whoever has the files of the log reads contents there.
 */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator')
export class EventsController {
  constructor(
    private readonly events: EventStore,
    private readonly readStore: ReadStore,
  ) {}

  @Get('streams/:stream')
  @Answers(StreamAnswerSchema)
  @Summary('Show a stream', 'A page of its events, without contents. For the operator and owners.')
  async stream(
    @Caller() caller: User,
    @Param('stream') stream: string,
    @Params(StreamParams) { after, limit }: StreamParams,
  ): Promise<Wire<typeof StreamAnswerSchema>> {
    assertOwner(caller);
    if (!isStreamName(stream)) throw noSuchStream();
    const page = await this.events.readStream(stream, { from: after + 1, limit: limit + 1 });
    if (page.length === 0 && after < 0) throw noSuchStream();
    return { events: page.slice(0, limit).map(rowOf), is_last: page.length <= limit };
  }

  @Get('events')
  @Answers(TailAnswerSchema)
  @Summary('Follow the log', 'Events after a place, as far as they fit, without contents. For the operator and owners.')
  async tail(
    @Caller() caller: User,
    @Params(TailParams) { after, limit, ...filter }: TailParams,
  ): Promise<Wire<typeof TailAnswerSchema>> {
    assertOwner(caller);
    if (after !== undefined && !CURSOR.test(after)) throw noCursor();
    const found: EventRow[] = [];
    let [scanned, length] = [0, 0];
    let next = after ?? (await this.#latest());
    for await (const page of this.#pagesAfter(next)) {
      for (const event of page) {
        if (found.length === limit || scanned === SCANNED_MAX || length > SCANNED_LENGTH_MAX)
          return { events: found, next: next ?? null, is_last: false };
        next = this.events.checkpointAfter(event);
        scanned++;
        const row = rowOf(event as RecordedEvent<object>);
        length += row.bytes;
        if (fits(row, filter)) found.push(row);
      }
    }
    return { events: found, next: next ?? null, is_last: true };
  }

  /** @throws Refusal BAD_REQUEST when the log does not have the event of the cursor */
  async *#pagesAfter(cursor: Checkpoint | undefined): AsyncGenerator<readonly RecordedEvent[], void, void> {
    try {
      yield* this.events.readAll(cursor === undefined ? {} : { after: cursor });
    } catch (error) {
      throw error instanceof ForeignCheckpoint || error instanceof RangeError ? noCursor() : error;
    }
  }

  /** About the end of the log: where the projection is that has come the farthest. */
  async #latest(): Promise<Checkpoint | undefined> {
    const { positions } = await this.readStore.standing();
    const [farthest] = [...positions].sort(([, one], [, other]) => other - one);
    return farthest && (await this.readStore.checkpoint(farthest[0]))?.checkpoint;
  }
}

function noSuchStream(): Refusal {
  return new Refusal('NOT_FOUND', 'No such stream');
}

function noCursor(): Refusal {
  return badRequest('`after` is not from an earlier answer.');
}
