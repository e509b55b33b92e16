import { readFileSync } from 'node:fs';

export const evolve = (): string => readFileSync('state.json', 'utf8');
