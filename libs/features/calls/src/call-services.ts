import type { BigBlueButton } from './big-blue-button.js';
import type { MeetingLinks } from './meeting-links.js';
import type { TokenSeal } from './zoom/token-seal.js';
import type { Zoom } from './zoom/zoom.js';

/** Services for calls that the operator has set up. */
export class CallServices {
  constructor(
    /** Undefined when there is none. */
    readonly bigBlueButton: BigBlueButton | undefined,
    readonly links: MeetingLinks,
    /** Undefined when it is not set up. */
    readonly zoom: Zoom | undefined,
    readonly seal: TokenSeal,
  ) {}
}
