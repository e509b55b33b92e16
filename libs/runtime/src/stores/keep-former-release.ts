import { feedCollection } from '#feed';
import type { Logger } from '#http';
import type { EmbeddedReadStores } from '#read-store';
import type { Composition } from '../composition.js';

/** A release that is no good is noticed within days. */
export const FORMER_RELEASE_KEPT_DAYS = 7;

/** Names of what is in the read models. */
export function collectionsOf({ features, openFollowUps, dueIndex }: Composition) {
  return [...[...features.projections, openFollowUps, dueIndex].map(({ collection }) => collection), feedCollection];
}

/**
 * Keeps the embedded read models of the former release where this one builds some of them anew, before anything is opened. A disk
 * that has no room for them prevents no start.
 * @throws the reason of the signal
 */
export async function keepFormerRelease(
  { files }: Pick<EmbeddedReadStores, 'files'>,
  composition: Composition,
  logger: Pick<Logger, 'info' | 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    const done = await files.keepFormerRelease(collectionsOf(composition), signal);
    if (done === 'kept')
      logger.info(
        `Read models are built anew for this release. Those of the former one are kept for ${FORMER_RELEASE_KEPT_DAYS} days: it goes on from them.`,
      );
    if (done === 'returned')
      logger.info('The read models that this release had are used again. They go on from there.');
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn(
      { reason },
      'The read models of the former release are not kept: going back to it reads the whole log.',
    );
  }
}
