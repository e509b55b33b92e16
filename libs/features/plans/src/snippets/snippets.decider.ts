import { badRequest, Refusal, unreachable, type Decider } from '#kernel';
import { jsonBytes } from '../json-bytes.js';
import { nextId } from '../next-id.js';
import type { SnippetCommand } from './snippets.commands.js';
import type { Snippet, SnippetEvent } from './snippets.events.js';

export const SNIPPETS_MAX = 1000;
/** Maximum size of all snippets of a user as JSON: each client that registers receives all of them, and commands load them. */
export const SNIPPETS_BYTES_MAX = 512 * 1024;

export const NO_SUCH_SNIPPET = 'Saved snippet does not exist.';

interface Snippets {
  lastId: number;
  /** Size of all snippets as JSON. */
  bytes: number;
  readonly byId: Map<number, Snippet>;
}

/** A user's saved snippets (endpoints.md §6), in their `plans-{id}` stream. */
export const snippetsDecider: Decider<Snippets, SnippetCommand, SnippetEvent> = {
  initial: () => ({ lastId: 0, bytes: 0, byId: new Map() }),
  decide,
  evolve,
  earlier,
};

/** @throws Refusal BAD_REQUEST, NOT_FOUND */
function decide(state: Snippets, command: SnippetCommand): readonly SnippetEvent[] {
  const { userId, at } = command;
  switch (command.type) {
    case 'add-snippet': {
      const [title, content] = [accepted(command.title, 'title'), accepted(command.content, 'content')];
      const snippet = { snippetId: nextId(userId, state.lastId), title, content, createdAt: at };
      assertRoom(state.byId.size + 1, state.bytes + jsonBytes(snippet));
      return [{ type: 'snippet.added.v1', data: { userId, snippet } }];
    }
    case 'change-snippet': {
      if (command.title === undefined && command.content === undefined)
        throw badRequest('Nothing to change was given.');
      const known = existing(state, command.snippetId);
      const title = command.title === undefined ? known.title : accepted(command.title, 'title');
      const content = command.content === undefined ? known.content : accepted(command.content, 'content');
      if (title === known.title && content === known.content) return [];
      const snippet = { ...known, title, content };
      assertRoom(state.byId.size, state.bytes - jsonBytes(known) + jsonBytes(snippet));
      return [{ type: 'snippet.changed.v1', data: { userId, snippet, at } }];
    }
    case 'remove-snippet': {
      const { snippetId } = existing(state, command.snippetId);
      return [{ type: 'snippet.removed.v1', data: { userId, snippetId, at } }];
    }
    default:
      return unreachable(command);
  }
}

/** Events of other plans, which are in the same stream, change nothing. */
function evolve(state: Snippets, event: SnippetEvent): Snippets {
  switch (event.type) {
    case 'snippet.added.v1':
    case 'snippet.changed.v1': {
      const { snippet } = event.data;
      remove(state, snippet.snippetId);
      state.byId.set(snippet.snippetId, snippet);
      state.bytes += jsonBytes(snippet);
      state.lastId = Math.max(state.lastId, snippet.snippetId);
      break;
    }
    case 'snippet.removed.v1':
      remove(state, event.data.snippetId);
      break;
  }
  return state;
}

/** The snippet as it was before it is changed or removed. */
function earlier({ byId }: Snippets, event: SnippetEvent): object | undefined {
  switch (event.type) {
    case 'snippet.changed.v1':
      return { snippet: byId.get(event.data.snippet.snippetId) };
    case 'snippet.removed.v1':
      return { snippet: byId.get(event.data.snippetId) };
    default:
      return undefined;
  }
}

function remove(state: Snippets, snippetId: number): void {
  const known = state.byId.get(snippetId);
  if (known === undefined) return;
  state.byId.delete(snippetId);
  state.bytes -= jsonBytes(known);
}

function accepted(raw: string, name: string): string {
  const text = raw.trim();
  if (text === '') throw badRequest(`${name} cannot be blank`);
  if (text.includes('\0')) throw badRequest(`${name} must not contain null bytes`);
  return text;
}

function assertRoom(count: number, bytes: number): void {
  if (count > SNIPPETS_MAX)
    throw badRequest(`You have too many saved snippets (limit: ${SNIPPETS_MAX}). Delete some of them first.`);
  if (bytes > SNIPPETS_BYTES_MAX)
    throw badRequest(
      `Your saved snippets are too large together (limit: ${SNIPPETS_BYTES_MAX} bytes). Delete some of them first.`,
    );
}

function existing({ byId }: Snippets, snippetId: number): Snippet {
  const known = byId.get(snippetId);
  if (known === undefined) throw new Refusal('NOT_FOUND', NO_SUCH_SNIPPET);
  return known;
}
