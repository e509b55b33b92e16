import type { EventStore } from '#event-store';

export type Elsewhere = EventStore;
