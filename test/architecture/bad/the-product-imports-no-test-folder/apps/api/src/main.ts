import { owner } from '../../../test/owner.js';

export const name = owner;
