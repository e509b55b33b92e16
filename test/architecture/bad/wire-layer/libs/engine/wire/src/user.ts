import { badRequest } from '#kernel';

export const refused = badRequest('No.');
