import type { BigBlueButton } from './big-blue-button.js';
import type { MeetingLinks } from './meeting-links.js';

/** Servers of meetings that the operator has set up. */
export class CallServices {
  constructor(
    /** Undefined when there is none. */
    readonly bigBlueButton: BigBlueButton | undefined,
    readonly links: MeetingLinks,
  ) {}
}
