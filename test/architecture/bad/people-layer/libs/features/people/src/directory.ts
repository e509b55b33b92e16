import { usersOf } from '../../users/src/index.js';

export const users = usersOf(1);
