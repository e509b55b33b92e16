import {
  asRefusal,
  type CommandResult,
  type EventStore,
  RevisionConflict,
  streams,
  type Visibility,
} from '#event-store';
import { newId, Refusal } from '#kernel';
import type { Directory } from './directory.js';
import type { OrganizationEvent } from './organization.events.js';

const ATTEMPTS_MAX = 5;

/**
 * The command path of the `organization` stream, whose state is the directory itself (DESIGN, decision 4). Commands of this
 * process take turns; a race lost to another process is decided afresh on what the winner wrote.
 */
export class OrganizationWrites {
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly store: EventStore,
    private readonly visibility: Visibility,
    private readonly directory: Directory,
  ) {}

  /**
   * Decides on the directory and records what was decided; resolves when it is durable and visible.
   * @throws Refusal of the decision, SERVER_NOT_READY, PAYLOAD_TOO_LARGE, as `CommandPath.run`
   */
  run<Event extends OrganizationEvent>(
    decide: (directory: Directory) => readonly Event[],
  ): Promise<CommandResult<Event>> {
    const result = this.#turn.then(() => this.#attempt(decide));
    this.#turn = result.catch(() => undefined); // The next in turn does not care how this one ended; its caller does.
    return result;
  }

  async #attempt<Event extends OrganizationEvent>(
    decide: (directory: Directory) => readonly Event[],
  ): Promise<CommandResult<Event>> {
    for (let attempt = 1; ; attempt++) {
      this.visibility.assertAccepting();
      const decided = decide(this.directory);
      if (decided.length === 0) return { events: decided, appended: undefined };
      const expected = this.directory.revision === -1 ? 'none' : this.directory.revision;
      const events = decided.map(({ type, data }) => ({ id: newId(), type, data }));
      try {
        const appended = await this.store.append(streams.organization, expected, events);
        await this.visibility.reached(appended.position);
        return { events: decided, appended };
      } catch (error) {
        if (!(error instanceof RevisionConflict)) throw asRefusal(error);
        if (attempt === ATTEMPTS_MAX)
          throw new Refusal('SERVER_NOT_READY', 'The organization is changing too fast; try again.');
        await this.#catchUp();
      }
    }
  }

  /** Resolves when the directory knows what the winner wrote. */
  async #catchUp(): Promise<void> {
    const [last] = await this.store.readStream(streams.organization, { direction: 'backwards', limit: 1 });
    if (last !== undefined) await this.visibility.reached(last.position);
  }
}
