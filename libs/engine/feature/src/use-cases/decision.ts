import type { Appended, CommandResult, CommandRunner, Decided } from '#event-store';
import type { FollowUps } from '#follow-ups';
import type { Clock, Decider, DomainEvent, Origin } from '#kernel';
import type { Directory } from '#people';

type AnyEvent = DomainEvent<string, object>;

export interface DecisionParts {
  readonly runner: CommandRunner;
  readonly directory: Directory;
  readonly followUps: FollowUps;
  readonly clock: Clock;
}

/** A decision for which all data is collected, and which is not carried through yet (`Decisions`). */
export abstract class Decision<Answer = void> {
  /** @throws Refusal of the decision; as `CommandRunner.run` */
  abstract carryThrough(parts: DecisionParts, origin: Origin): Promise<Answer>;
}

/** What was recorded: what the decision says, and where its events stand in the log. */
type Recorded<Outcome extends Decided> = Outcome & { readonly appended: Appended | undefined };

/** A decision whose events go into one stream. */
class StreamDecision<Outcome extends Decided, Answer = void> extends Decision<Answer> {
  constructor(
    private readonly record: (
      parts: DecisionParts,
      origin: Origin,
    ) => Promise<{ readonly stream: string; readonly recorded: Recorded<Outcome> }>,
    private readonly answer: (recorded: Recorded<Outcome>) => Answer | Promise<Answer>,
  ) {
    super();
  }

  /** The same decision with another answer for the caller, made when everything that the events entail is done. */
  answering<Next>(answer: (recorded: Recorded<Outcome>) => Next | Promise<Next>): StreamDecision<Outcome, Next> {
    return new StreamDecision(this.record, answer);
  }

  override async carryThrough(parts: DecisionParts, origin: Origin): Promise<Answer> {
    const { stream, recorded } = await this.record(parts, origin);
    await parts.followUps.carryOut(stream, recorded.appended, recorded.events);
    return this.answer(recorded);
  }
}

const NOTHING = (): void => undefined;

/**
 * A decision on the directory, recorded in the stream of the organization.
 * @param decide gets the time of the decision in seconds; it is called again after a lost race
 */
export function inOrganization<Event extends AnyEvent>(
  decide: (directory: Directory, at: number) => readonly Event[],
): StreamDecision<Decided<Event>> {
  return inOrganizationWith((directory, at) => ({ events: decide(directory, at) }));
}

/** Like `inOrganization`, for a decision that says more than its events. */
export function inOrganizationWith<Outcome extends Decided>(
  decide: (directory: Directory, at: number) => Outcome,
): StreamDecision<Outcome> {
  return new StreamDecision(async ({ runner, directory, clock }, origin) => {
    const recorded = await runner.runOn(directory, (now) => decide(now, clock.nowSeconds()), origin);
    return { stream: directory.stream, recorded };
  }, NOTHING);
}

/**
 * A decision of a decider, recorded in one stream.
 * @param makeCommand gets the time of the decision in seconds; it is called again after a lost race
 */
export function inStream<State, Command extends object, Event extends AnyEvent>(
  decider: Decider<State, Command, Event>,
  stream: string,
  makeCommand: (at: number) => NoInfer<Command>,
): StreamDecision<CommandResult<Event>> {
  return new StreamDecision(async ({ runner, clock }, origin) => {
    const recorded = await runner.run(decider, stream, () => makeCommand(clock.nowSeconds()), origin);
    return { stream, recorded };
  }, NOTHING);
}

/** Carries decisions through, for use cases and for whoever else records: appends the events, and does what they entail. */
export class Decisions {
  constructor(private readonly parts: DecisionParts) {}

  /** @throws Refusal of the decision; as `CommandRunner.run` */
  carryThrough<Answer>(decision: Decision<Answer>, origin: Origin): Promise<Answer> {
    return decision.carryThrough(this.parts, origin);
  }
}
