export const MAX_LENGTH = 10_000;
