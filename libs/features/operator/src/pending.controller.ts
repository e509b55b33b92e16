import { Controller, Get, Param, Post } from '@nestjs/common';
import { type PendingItem, PendingWork } from '#feature';
import { Answers, ApiTags, Caller, Params, Summary, TakesOperator } from '#http';
import { badRequest, originFrom, Refusal } from '#kernel';
import { QuietServer } from '#realm/model';
import { assertOwner, type User } from '#users/model';
import { described, integer, list, named, nullable, object, text, type Wire } from '#wire';
import { IS_QUIET } from './is-quiet.js';
import { FOLLOW_UP } from './pending-follow-ups.js';
import { DropParams, PendingParams } from './operator.params.js';

const PendingSchema = named(
  'PendingWork',
  object({
    kind: text,
    id: described(text, 'Unique within the kind.'),
    what: described(text, 'Without contents.'),
    since: described(integer, 'UNIX seconds, as the other times.'),
    attempts: described(integer, 'Those that failed.'),
    reason: described(nullable(text), 'Why the last one failed.'),
    next_at: described(nullable(integer), 'null: none is made, unless somebody asks for it.'),
  }),
);
const StepSchema = object({ type: text, at: integer, reason: nullable(text) });
const ShownSchema = object({ pending: PendingSchema, history: list(StepSchema) });
const ListSchema = object({
  pending: list(PendingSchema),
  more_of: described(list(text), 'Kinds of which there is more than was asked for.'),
});

const RetriedSchema = object({
  retried: integer,
  under_way: described(integer, 'Pieces that are due already: they are being tried, or wait for their turn.'),
  is_quiet: IS_QUIET,
});

type WirePending = Wire<typeof PendingSchema>;

/** Tried at a time when all work of a kind is. */
const RETRIED_MAX = 1_000;

/** Pending work: mail, push notifications and registrations, calls of services, follow-ups, archives, scheduled messages that failed. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator/pending')
export class PendingController {
  constructor(
    private readonly work: PendingWork,
    private readonly server: QuietServer,
  ) {}

  @Get()
  @Answers(ListSchema)
  @Summary(
    'List pending work',
    'What waits or failed, with the last reason and the next attempt. For the operator and owners.',
  )
  async list(
    @Caller() caller: User,
    @Params(PendingParams) { kind, limit }: PendingParams,
  ): Promise<Wire<typeof ListSchema>> {
    assertOwner(caller);
    const kinds = kind === undefined ? this.work.kinds : [this.work.source(kind).kind];
    const pending: WirePending[] = [];
    const cut: string[] = [];
    for (const each of kinds) {
      const items = await this.work.source(each).list(limit + 1);
      pending.push(...items.slice(0, limit).map((item) => wireItem(each, item)));
      if (items.length > limit) cut.push(each);
    }
    return { pending, more_of: cut };
  }

  @Get(':kind/:id')
  @Answers(ShownSchema)
  @Summary('Show pending work', 'With what was recorded of its attempts. For the operator and owners.')
  async show(
    @Caller() caller: User,
    @Param('kind') kind: string,
    @Param('id') id: string,
  ): Promise<Wire<typeof ShownSchema>> {
    assertOwner(caller);
    const source = this.work.source(kind);
    const item = await source.find(id);
    if (item === undefined) throw noSuchWork();
    return { pending: wireItem(kind, item), history: [...(await source.history(id))] };
  }

  @Post(':kind/retry')
  @Answers(RetriedSchema)
  @Summary('Retry pending work', 'All of a kind, at once. For the operator and owners.')
  async retryAll(@Caller() caller: User, @Param('kind') kind: string): Promise<Wire<typeof RetriedSchema>> {
    assertOwner(caller);
    const source = this.work.source(kind);
    const items = await source.list(RETRIED_MAX);
    let retried = 0;
    for (const { id } of items) if (await source.retry(id, originFrom(caller))) retried++;
    return { retried, under_way: items.length - retried, is_quiet: this.#isQuiet(kind) };
  }

  @Post(':kind/:id/retry')
  @Answers(object({ is_quiet: IS_QUIET }))
  @Summary('Retry one piece of pending work', 'At once. For the operator and owners.')
  async retry(
    @Caller() caller: User,
    @Param('kind') kind: string,
    @Param('id') id: string,
  ): Promise<{ is_quiet: boolean }> {
    assertOwner(caller);
    const source = this.work.source(kind);
    if (await source.retry(id, originFrom(caller))) return { is_quiet: this.#isQuiet(kind) };
    throw (await source.find(id)) === undefined ? noSuchWork() : beingTried();
  }

  @Post(':kind/:id/drop')
  @Answers()
  @Summary('Drop pending work', 'Gives it up, by an event with the reason. For the operator and owners.')
  async drop(
    @Caller() caller: User,
    @Param('kind') kind: string,
    @Param('id') id: string,
    @Params(DropParams) { reason }: DropParams,
  ): Promise<void> {
    assertOwner(caller);
    const source = this.work.source(kind);
    if (await source.drop(id, reason, originFrom(caller))) return;
    throw (await source.find(id)) === undefined ? noSuchWork() : beingTried();
  }

  /** Follow-ups complete what was recorded, within the log: a quiet server carries them out as well. */
  #isQuiet(kind: string): boolean {
    return this.server.isQuiet && kind !== FOLLOW_UP;
  }
}

function wireItem(kind: string, { id, what, since, attempts, reason, nextAt }: PendingItem): WirePending {
  return { kind, id, what, since, attempts, reason, next_at: nextAt };
}

/** A quiet server tries nothing, whatever is due. */
function beingTried(): Refusal {
  return badRequest('It is due already: it is being tried, or waits for a start without QUIET and READ_ONLY.');
}

function noSuchWork(): Refusal {
  return new Refusal('NOT_FOUND', 'No such pending work');
}
