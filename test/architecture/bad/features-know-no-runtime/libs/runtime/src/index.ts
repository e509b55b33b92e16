export const port = 9991;
