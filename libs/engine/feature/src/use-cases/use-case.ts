import type { FactoryProvider, Type } from '@nestjs/common';
import {
  type Command,
  CommandHandler,
  type CommandResult,
  type Query,
  QueryHandler,
  type QueryResult,
} from '@nestjs/cqrs';
import { type Origin, originFrom, Spans } from '#kernel';
import { Decision, Decisions } from './decision.js';

/** A class of which somebody provides an instance, abstract ones included. */
export interface Provided<Instance = unknown> {
  readonly name: string;
  readonly prototype: Instance;
}

/** What a use case needs of others, by the names under which it uses them. */
export type Needs = Readonly<Record<string, Provided>>;

export type Given<Needed extends Needs> = { readonly [Name in keyof Needed]: Needed[Name]['prototype'] };

/** One thing that a feature does, and the function that does it. A manifest names it. */
export interface UseCase {
  /** The class of its command or query. */
  readonly asked: Provided;
  /** Its handler, as Nest's buses find it. */
  readonly handler: FactoryProvider;
}

/** A use case with its function, which specs call. */
export interface Runnable<Asked, Needed extends Needs, Outcome> extends UseCase {
  readonly run: (asked: Asked, given: Given<Needed>) => Outcome | Promise<Outcome>;
}

/**
 * A use case that changes something. Its function collects the data that the decision needs, and returns the decision
 * (`inOrganization`, `inStream`), which is recorded with all that its events entail; or the answer, when what it does is no decision
 * of a stream.
 * @param needs classes that are provided elsewhere
 */
export function command<Asked extends Command<unknown> & Acting, const Needed extends Needs>(
  asked: new (...args: never[]) => Asked,
  needs: Needed,
  run: Runnable<Asked, Needed, Outcome<CommandResult<Asked>>>['run'],
): Runnable<Asked, Needed, Outcome<CommandResult<Asked>>> {
  return { ...useCase('command', asked, CommandHandler(asked), needs, run as Run), run };
}

type Outcome<Answer> = Answer | Decision<Answer>;

/** A use case that reads. */
export function query<Asked extends Query<unknown>, const Needed extends Needs>(
  asked: new (...args: never[]) => Asked,
  needs: Needed,
  run: Runnable<Asked, Needed, QueryResult<Asked>>['run'],
): Runnable<Asked, Needed, QueryResult<Asked>> {
  return { ...useCase('query', asked, QueryHandler(asked), needs, run as Run), run };
}

type Run = (asked: unknown, given: Readonly<Record<string, unknown>>) => unknown;

/** The one handler of all use cases. */
class UseCaseHandler {
  constructor(
    private readonly name: string,
    private readonly run: Run,
    private readonly given: Readonly<Record<string, unknown>>,
    private readonly decisions: Decisions,
    private readonly spans: Spans,
  ) {}

  execute(asked: unknown): Promise<unknown> {
    return this.spans.run(this.name, () => this.#execute(asked));
  }

  async #execute(asked: unknown): Promise<unknown> {
    const outcome = await this.run(asked, this.given);
    return outcome instanceof Decision ? this.decisions.carryThrough(outcome, originIn(asked as Acting)) : outcome;
  }
}

type Person = Parameters<typeof originFrom>[0];

/** A command says who acts: the caller, or the origin of the request where nobody is signed in. */
export type Acting =
  | { readonly actor: Person }
  | { readonly sender: Person }
  | { readonly asked: { readonly actor: Person } }
  | { readonly origin: Origin };

function originIn(command: Acting): Origin {
  if ('origin' in command) return command.origin;
  if ('actor' in command) return originFrom(command.actor);
  return originFrom('sender' in command ? command.sender : command.asked.actor);
}

function useCase(kind: 'command' | 'query', asked: Provided, handles: ClassDecorator, needs: Needs, run: Run): UseCase {
  // Nest's buses tell by the class of a handler what it handles.
  class Handler extends UseCaseHandler {}
  Object.defineProperty(Handler, 'name', { value: `${asked.name}Handler` });
  handles(Handler);
  const names = Object.keys(needs);
  return {
    asked,
    handler: {
      provide: Handler,
      inject: [Decisions, Spans, ...(Object.values(needs) as Type[])],
      useFactory: (decisions: Decisions, spans: Spans, ...given: unknown[]) =>
        new Handler(
          `${kind} ${asked.name.replace(/(?:Command|Query)$/, '')}`,
          run,
          Object.fromEntries(names.map((name, index) => [name, given[index]])),
          decisions,
          spans,
        ),
    },
  };
}
