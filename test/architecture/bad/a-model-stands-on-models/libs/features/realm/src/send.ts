export const sends = {};
