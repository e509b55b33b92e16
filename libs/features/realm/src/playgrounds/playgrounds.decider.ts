import { badRequest, unreachable, type Decider } from '#kernel';
import { playgroundProblem } from '#markdown';
import { assertAdministrator } from '#users/model';
import type { PlaygroundCommand } from './playgrounds.commands.js';
import { evolvePlaygrounds, NO_PLAYGROUNDS, type Playgrounds } from '../model/playgrounds/playgrounds.js';
import type { PlaygroundEvent } from '../model/playgrounds/playground.events.js';

/** All of them go to every client that registers. */
export const PLAYGROUNDS_MAX = 200;

/** The organization's code playgrounds (endpoints.md §12, /realm/playgrounds), in the `organization` stream. */
export const playgroundsDecider: Decider<Playgrounds, PlaygroundCommand, PlaygroundEvent> = {
  initial: () => NO_PLAYGROUNDS,
  decide,
  evolve: evolvePlaygrounds,
};

/** @throws Refusal UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
function decide({ inOrder, lastId }: Playgrounds, command: PlaygroundCommand): readonly PlaygroundEvent[] {
  const { actor, at } = command;
  assertAdministrator(actor);
  const done = { by: actor.userId, at };
  switch (command.type) {
    case 'add-playground': {
      const name = command.name.trim();
      const pygmentsLanguage = command.pygmentsLanguage.trim();
      const { urlTemplate } = command;
      if (name === '') throw badRequest('name cannot be empty');
      if (/\p{Cc}/u.test(name)) throw badRequest('Invalid character in name.');
      if (pygmentsLanguage === '') throw badRequest('pygments_language cannot be empty');
      if (!/^[\w +\-./#]+$/.test(pygmentsLanguage)) throw badRequest('Invalid characters in pygments language');
      const problem = playgroundProblem(urlTemplate);
      if (problem !== undefined) throw badRequest(problem);
      if (inOrder.some((one) => one.name === name && one.pygmentsLanguage === pygmentsLanguage))
        throw badRequest('A playground with this name and language already exists.');
      if (inOrder.length >= PLAYGROUNDS_MAX)
        throw badRequest(`There are too many playgrounds (limit: ${PLAYGROUNDS_MAX})`);
      const playground = { playgroundId: lastId + 1, name, pygmentsLanguage, urlTemplate };
      return [{ type: 'playground.added.v1', data: { ...playground, ...done } }];
    }
    case 'remove-playground': {
      const { playgroundId } = command;
      if (!inOrder.some((one) => one.playgroundId === playgroundId)) throw badRequest('Invalid playground');
      return [{ type: 'playground.removed.v1', data: { playgroundId, ...done } }];
    }
    default:
      return unreachable(command);
  }
}
