import { failureBody } from '#http';

export const refused = failureBody;
