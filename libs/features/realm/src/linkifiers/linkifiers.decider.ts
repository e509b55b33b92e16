import { badRequest, unreachable, type Decider } from '#kernel';
import { linkifierProblem } from '#markdown';
import { assertAdministrator } from '#users/model';
import type { LinkifierCommand } from './linkifiers.commands.js';
import {
  evolveLinkifiers,
  NO_LINKIFIERS,
  type ConfiguredLinkifier,
  type Linkifiers,
} from '../model/linkifiers/linkifiers.js';
import type { LinkifierEvent } from '../model/linkifiers/linkifier.events.js';

/** All of them are sent to every registering client, and matched against every message. */
export const LINKIFIERS_MAX = 100;

/** The organization's linkifiers (endpoints.md §12, /realm/linkifiers and /realm/filters), in the `organization` stream. */
export const linkifiersDecider: Decider<Linkifiers, LinkifierCommand, LinkifierEvent> = {
  initial: () => NO_LINKIFIERS,
  decide,
  evolve: evolveLinkifiers,
};

/** @throws Refusal UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
function decide(state: Linkifiers, command: LinkifierCommand): readonly LinkifierEvent[] {
  const { actor, at } = command;
  assertAdministrator(actor);
  const done = { by: actor.userId, at };
  switch (command.type) {
    case 'add-linkifier': {
      if (state.inOrder.length >= LINKIFIERS_MAX)
        throw badRequest(`There are too many linkifiers (limit: ${LINKIFIERS_MAX})`);
      const definition = acceptedDefinition(command, state.inOrder);
      return [{ type: 'linkifier.added.v1', data: { linkifierId: state.lastId + 1, ...definition, ...done } }];
    }
    case 'change-linkifier': {
      const known = existing(state, command.linkifierId);
      const others = state.inOrder.filter((one) => one !== known);
      const definition = acceptedDefinition(command, others);
      if (definition.pattern === known.pattern && definition.urlTemplate === known.urlTemplate) return [];
      return [{ type: 'linkifier.changed.v1', data: { linkifierId: known.linkifierId, ...definition, ...done } }];
    }
    case 'remove-linkifier': {
      const { linkifierId } = existing(state, command.linkifierId);
      return [{ type: 'linkifier.removed.v1', data: { linkifierId, ...done } }];
    }
    case 'reorder-linkifiers':
      return reorder(state, command.linkifierIds, done);
    default:
      return unreachable(command);
  }
}

function acceptedDefinition(
  { pattern, urlTemplate }: { readonly pattern: string; readonly urlTemplate: string },
  others: readonly ConfiguredLinkifier[],
): { readonly pattern: string; readonly urlTemplate: string } {
  const problem = linkifierProblem({ pattern, urlTemplate });
  if (problem !== undefined) throw badRequest(problem);
  // Of two with the same pattern, the second would never match.
  if (others.some((one) => one.pattern === pattern)) throw badRequest('A linkifier with this pattern already exists.');
  return { pattern, urlTemplate };
}

function existing({ inOrder }: Linkifiers, linkifierId: number): ConfiguredLinkifier {
  const known = inOrder.find((one) => one.linkifierId === linkifierId);
  if (known === undefined) throw badRequest('Linkifier not found.');
  return known;
}

function reorder(
  { inOrder }: Linkifiers,
  linkifierIds: readonly number[],
  done: { readonly by: number; readonly at: number },
): readonly LinkifierEvent[] {
  const named = new Set(linkifierIds);
  const isPermutation =
    linkifierIds.length === inOrder.length && inOrder.every(({ linkifierId }) => named.has(linkifierId));
  if (!isPermutation) throw badRequest('The ordered list must name all existing linkifiers exactly once.');
  if (inOrder.every(({ linkifierId }, index) => linkifierId === linkifierIds[index])) return [];
  return [{ type: 'linkifiers.reordered.v1', data: { linkifierIds: [...linkifierIds], ...done } }];
}
