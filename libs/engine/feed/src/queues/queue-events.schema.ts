import type { EventSchemas } from '#wire';

/** Client events of the queues themselves (events.md §1). */
export const queueEventSchemas = { heartbeat: {} } satisfies EventSchemas;
