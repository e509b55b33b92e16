import { Controller, Get, Param, Post } from '@nestjs/common';
import { EventStore } from '#event-store';
import { Answers, ApiTags, Caller, Params, RecordsNothing, Summary, TakesOperator } from '#http';
import { type JsonObject, Refusal } from '#kernel';
import { LogStatistics } from '#operator';
import { assertOwner, type User } from '#users/model';
import { BackgroundRunner, cannotRebuild, formerName, ReadSideOperations } from '#read-store';
import { anything, described, integer, list, map, nullable, object, text, truth, type Wire } from '#wire';
import { LeftOversParams, RebuildParams } from './operator.params.js';

const LeftOversSchema = object({
  collections: list(object({ name: text, documents: integer, bytes: integer })),
  removed: truth,
  kept_because: described(nullable(text), 'Why they cannot be removed now, in a dry run.'),
});

/** Operations on the running server: for its operator, and for owners. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator')
export class OperatorController {
  constructor(
    private readonly readSide: ReadSideOperations,
    private readonly events: EventStore,
    private readonly background: BackgroundRunner,
    private readonly statistics: LogStatistics,
  ) {}

  /** Position, lag and throughput of each projection, and how the work in the background goes. */
  @Get('projections')
  @Answers(map(anything))
  @Summary(
    'Show the projections',
    'Position, lag and throughput of each projection, and the work in the background. For owners.',
  )
  projections(@Caller() caller: User): JsonObject {
    assertOwner(caller);
    const { failure, damages } = this.events;
    const log = {
      ...(failure !== undefined && { logFailure: describe(failure) }),
      ...(damages.length > 0 && { logDamages: damages }),
    };
    return { ...this.readSide.status(), ...log, work: this.background.status() } as unknown as JsonObject;
  }

  /** One projection as in the list of all, with its size as it was measured within the last hour, and how far its rebuild is. */
  @Get('projections/:name')
  @Answers(map(anything))
  @Summary(
    'Show a projection',
    'Position, lag and throughput, its size as last measured, and the event on which it was set aside, without contents. For the operator and owners.',
  )
  async projection(@Caller() caller: User, @Param('name') name: string): Promise<JsonObject> {
    assertOwner(caller);
    const { participants, rebuilds, head } = this.readSide.status();
    const found = participants.find((one) => one.name === name);
    if (found === undefined) throw new Refusal('NOT_FOUND', `There is no projection '${name}'.`);
    const measured = await this.statistics.sizes();
    const sized = (collection: string): JsonObject => {
      const bytes = measured?.bytes.get(collection);
      return bytes === undefined ? {} : { bytes };
    };
    const rebuild = rebuilds.find((one) => one.name === name);
    const { former } = found;
    return {
      ...found,
      ...(former !== undefined && { former: { ...former, ...sized(formerName(name)) } }),
      head,
      ...sized(name),
      ...(rebuild !== undefined && { rebuild }),
    } as unknown as JsonObject;
  }

  /** Rebuilds a projection from the log beside the live one, and swaps them. Answers when the new one is live. */
  @Post('projections/:name/rebuild')
  @RecordsNothing()
  @Answers(map(anything))
  @Summary(
    'Rebuild a projection',
    'Builds it from the log beside the live one and swaps them; answers when the new one is live. For owners.',
  )
  async rebuild(@Caller() caller: User, @Param('name') name: string): Promise<JsonObject> {
    assertOwner(caller);
    const [rebuilt] = await this.readSide.rebuild([name]);
    return { ...rebuilt } as unknown as JsonObject;
  }

  /**
   * Rebuilds projections from the log beside the live ones, in one pass over it, and swaps them. Answers when the new ones are live;
   * `GET operator/projections` tells meanwhile how far they are.
   */
  @Post('rebuilds')
  @RecordsNothing()
  @Answers(map(anything))
  @Summary(
    'Rebuild projections',
    'In one pass over the log, beside the live ones; answers when the new ones are live. `dry_run` only says what would be rebuilt. For the operator and owners.',
  )
  async rebuilds(
    @Caller() caller: User,
    @Params(RebuildParams) { names: given, dry_run: isDry }: RebuildParams,
  ): Promise<JsonObject> {
    assertOwner(caller);
    const names = given?.split(',');
    const { participants, position, rebuilds } = this.readSide.status();
    if (!isDry) return { rebuilt: (await this.readSide.rebuild(names)) as unknown as JsonObject[] };
    const known = participants.filter(({ rebuildable }) => rebuildable).map(({ name }) => name);
    const unknown = names?.find((name) => !known.includes(name));
    if (unknown !== undefined) throw cannotRebuild(unknown, participants);
    return { would_rebuild: names ?? known, head: position, running: rebuilds.map(({ name }) => name) };
  }

  /** Builds a projection anew beside the live one, and compares the two at the same position; the live one stays. */
  @Post('projections/:name/diff')
  @RecordsNothing()
  @Answers(map(anything))
  @Summary(
    'Compare a projection with a new one',
    'Builds it from the log beside the live one, which stays, and names the first key at which they differ, without contents. For the operator and owners.',
  )
  async diff(@Caller() caller: User, @Param('name') name: string): Promise<JsonObject> {
    assertOwner(caller);
    return { ...(await this.readSide.compare(name)) } as unknown as JsonObject;
  }

  /** Puts the build that the last rebuild has replaced in its place again, up to date; the other one is kept instead. */
  @Post('projections/:name/undo')
  @RecordsNothing()
  @Answers(map(anything))
  @Summary(
    'Undo a rebuild of a projection',
    'Puts the build that the last rebuild has replaced in its place again, with what was recorded since. For the operator and owners.',
  )
  async undo(@Caller() caller: User, @Param('name') name: string): Promise<JsonObject> {
    assertOwner(caller);
    return { ...(await this.readSide.undo(name)) };
  }

  /** Ends all rebuilds. The old collections stay live. */
  @Post('rebuilds/cancel')
  @RecordsNothing()
  @Answers(map(anything))
  @Summary('End all rebuilds', 'The old collections stay live. For the operator and owners.')
  async cancelRebuilds(@Caller() caller: User): Promise<JsonObject> {
    assertOwner(caller);
    return { cancelled: await this.readSide.cancelRebuilds() };
  }

  /** Removes the collections of the read store that a former release kept, and this one does not. */
  @Post('left-overs/remove')
  @RecordsNothing()
  @Answers(LeftOversSchema)
  @Summary(
    'Remove left-over read models',
    'Those that a former release kept, and this one does not. `dry_run` only says which. For the operator and owners.',
  )
  async removeLeftOvers(
    @Caller() caller: User,
    @Params(LeftOversParams) { dry_run: isDry }: LeftOversParams,
  ): Promise<Wire<typeof LeftOversSchema>> {
    assertOwner(caller);
    const { collections, keptBecause } = await this.readSide.removeLeftOvers(isDry);
    if (!isDry) await this.statistics.forget(collections.map(({ name }) => name));
    return { collections: [...collections], removed: !isDry, kept_because: keptBecause ?? null };
  }
}

/** Includes the cause, since "disk full" and "read-only" need different actions. */
function describe({ message, cause }: Error): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
