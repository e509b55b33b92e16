export const moveOf = (id: number): number => id;
