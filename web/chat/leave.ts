import { signOut } from '../shared/api.js';
import { leaveNothing } from './model/kept-state.js';

/** Signs out, and forgets what this browser keeps of the account. */
export function leave(): void {
  // Also when the server is out of reach, and the session goes on.
  void Promise.allSettled([signOut(), leaveNothing()]).finally(() => location.reload());
}
