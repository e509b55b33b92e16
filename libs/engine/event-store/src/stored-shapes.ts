import { EventRegistry } from './registry.js';

/** Takes events of any type and shape as they are: a copy that must be equal has old shapes too. */
class StoredShapes extends EventRegistry {
  constructor() {
    super([]);
  }

  override check(): void {
    // What one log holds, another one takes.
  }

  override misfit(): undefined {
    return undefined;
  }

  override lift(type: string, data: unknown): { readonly type: string; readonly data: unknown } {
    return { type, data };
  }
}

/** Instead of the registry for a store that is opened to copy events as they are stored. Nothing but copies may use it. */
export const AS_STORED: EventRegistry = new StoredShapes();
