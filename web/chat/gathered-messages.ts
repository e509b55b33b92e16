import { call } from '../shared/api.js';
import type { Message } from './model/wire.js';

/** Messages that come together are fetched together. */
const GATHER_MS = 1_000;

/**
 * Fetches messages: at once when they are the first, a moment later when others may come with them.
 * @param failed not called after the end
 * @returns what ends it
 */
export function fetchGathered(
  params: object,
  isFirst: boolean,
  done: (messages: readonly Message[]) => void,
  failed: (error: unknown) => void = () => undefined,
): () => void {
  const stop = new AbortController();
  const fetchThem = (): void => {
    call<{ readonly messages: readonly Message[] }>(
      'GET',
      '/messages',
      { ...params, allow_empty_topic_name: true, client_gravatar: false },
      stop.signal,
    ).then(
      ({ messages }) => done(messages),
      (error: unknown) => {
        if (!stop.signal.aborted) failed(error);
      },
    );
  };
  const timer = setTimeout(fetchThem, isFirst ? 0 : GATHER_MS);
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
