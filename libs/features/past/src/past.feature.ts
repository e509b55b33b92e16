import { defineFeature } from '#feature';
import { Candidates } from './as-of/candidates.js';
import { pastMessages } from './as-of/past-messages.js';
import { pastMoments } from './as-of/past-moments.js';
import { ReadingTimesReader } from './as-of/reading-times.js';
import { PastController } from './http/past.controller.js';

/** Conversations as they were, for members. It records nothing and keeps nothing of its own. */
export const past = defineFeature({
  name: 'past',
  queries: [pastMessages, pastMoments],
  controllers: [PastController],
  providers: [Candidates, ReadingTimesReader],
});
