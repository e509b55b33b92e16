import { where } from '#read-store';

export const filter = where.eq('a', 1);
