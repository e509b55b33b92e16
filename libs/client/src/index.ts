export type * from './wire/types.generated.js';
