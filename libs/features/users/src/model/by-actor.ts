import type { OmitEach } from '#kernel';
import type { User } from './user.js';

/** Fields of a command that a user gives; its decider checks the user's role. */
export interface ByActor {
  readonly actor: User;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** A command without its actor and time, as a request has it. */
export type RequestOf<Command extends ByActor> = OmitEach<Command, keyof ByActor>;
