import type { Decision, Given, Needs, Runnable } from '#feature';

/** A use case that decides nothing in a stream, as its handler runs it. */
export function executing<Asked, Needed extends Needs, Outcome>(
  useCase: Runnable<Asked, Needed, Outcome>,
  given: Given<Needed>,
): { execute(asked: Asked): Promise<Exclude<Outcome, Decision<unknown>>> } {
  return { execute: async (asked) => (await useCase.run(asked, given)) as Exclude<Outcome, Decision<unknown>> };
}
