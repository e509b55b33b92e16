import { badRequest } from '#kernel';
import { anchorOf } from '../narrow/anchor.js';
import type { MessageWindow } from '../narrow/narrowed-messages.js';

/** Parameters of a window in requests. */
export interface WindowParams {
  readonly anchor: string | undefined;
  readonly include_anchor: boolean;
  readonly num_before: number;
  readonly num_after: number;
}

/** @throws Refusal BAD_REQUEST */
export function windowOf({ anchor, include_anchor, num_before, num_after }: WindowParams): MessageWindow {
  if (!include_anchor && num_before > 0 && num_after > 0)
    throw badRequest('The anchor can only be excluded at an end of the range');
  if (anchor === undefined) throw badRequest("Missing 'anchor' argument.");
  return { anchor: anchorOf(anchor), includeAnchor: include_anchor, before: num_before, after: num_after };
}
