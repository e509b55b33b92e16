import { signOut } from '../shared/api.js';
import { forgetKept } from './model/kept-state.js';

/** Signs out, and forgets what this browser keeps of the account. */
export function leave(): void {
  void signOut()
    .then(forgetKept)
    .finally(() => location.reload());
}
