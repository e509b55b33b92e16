export const lengthMax = 10_000;
