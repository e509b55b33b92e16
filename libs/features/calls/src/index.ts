export { BigBlueButton } from './big-blue-button.js';
export { CallServices } from './call-services.js';
export { calls } from './calls.feature.js';
export { MeetingLinks } from './meeting-links.js';
export { TokenSeal } from './zoom/token-seal.js';
export { Zoom, type ZoomSettings } from './zoom/zoom.js';
