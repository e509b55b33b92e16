import type { User } from '#users/model';
import type { Export } from '../model/exports.js';

export type ExportRequest =
  | { readonly type: 'request-export'; readonly kind: Export['kind'] }
  | { readonly type: 'delete-export'; readonly exportId: number };

/** @property at seconds since the epoch */
export type ExportCommand = ExportRequest & { readonly actor: User; readonly at: number };

/** How the making of an archive ended. */
export type ExportOutcome =
  | { readonly type: 'finish'; readonly hash: string; readonly bytes: number }
  /** @property reason why the operator gives it up; undefined when too many attempts have failed */
  | { readonly type: 'fail'; readonly reason?: string };
