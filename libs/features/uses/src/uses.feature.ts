import { defineFeature } from '#feature';
import { usesNoted } from './use.events.js';
import { UseLog } from './use-log.js';

/** Facts about who uses credentials, files and archives. They are in a stream of their own, which clients never hear of. */
export const uses = defineFeature({
  name: 'uses',
  events: [usesNoted],
  work: [UseLog],
});
