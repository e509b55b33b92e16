import type { Handlers } from '../directory/directory-part.js';
import type { ExportEvent } from './export.events.js';
import { evolveExports, type Exports, NO_EXPORTS } from './exports.js';

/** The organization's exports, a part of the directory. */
export class ExportBook {
  #exports: Exports = NO_EXPORTS;

  readonly #take = (event: ExportEvent): void => {
    this.#exports = evolveExports(this.#exports, event);
  };

  readonly on: Handlers<ExportEvent> = {
    'export.requested.v1': this.#take,
    'export.finished.v1': this.#take,
    'export.failed.v1': this.#take,
    'export.deleted.v1': this.#take,
  };

  get exports(): Exports {
    return this.#exports;
  }

  /** @param exports absent in snapshots from before there were any */
  restore(exports: Exports | undefined): void {
    this.#exports = exports ?? NO_EXPORTS;
  }
}
