export const usersOf = (id: number): number => id;
