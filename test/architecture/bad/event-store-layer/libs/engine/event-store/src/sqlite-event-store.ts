import type { ReadStore } from '#read-store';

export type Elsewhere = ReadStore;
