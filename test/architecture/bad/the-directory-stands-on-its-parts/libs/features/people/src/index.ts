export const directory = {};
