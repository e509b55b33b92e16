import { defineFeature, readerProvider } from '#feature';
import { Candidates } from './as-of/candidates.js';
import { pastMessages } from './as-of/past-messages.js';
import { pastMoments } from './as-of/past-moments.js';
import { ReadingTimesReader } from './as-of/reading-times.js';
import { PastController } from './http/past.controller.js';
import { ChangesReader } from './since/changes.reader.js';
import { recentChangesCollection, recentChangesProjection } from './since/recent-changes.projection.js';
import { since } from './since/since.js';

/** Conversations as they were, and what happened since somebody left, for members. It records nothing. */
export const past = defineFeature({
  name: 'past',
  projections: [recentChangesProjection],
  queries: [pastMessages, pastMoments, since],
  controllers: [PastController],
  providers: [Candidates, ReadingTimesReader, readerProvider(ChangesReader, recentChangesCollection)],
});
