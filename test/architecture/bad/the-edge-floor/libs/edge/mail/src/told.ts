import { users } from '#users';

export const told = users;
