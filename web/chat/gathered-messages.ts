import { useEffect, useRef, useState } from 'react';
import { call } from '../shared/api.js';
import type { Message } from './model/wire.js';

/** Messages that come together are fetched together. */
const GATHER_MS = 1_000;

interface Question {
  readonly params: object;
  /** Whether there is nothing yet that others could wait for. */
  readonly isFirst: boolean;
  readonly done: (messages: readonly Message[]) => void;
  readonly failed?: (error: unknown) => void;
}

/**
 * Fetches messages: at once when they are the first, a moment later when others may come with them. Further wishes neither put that off
 * nor end a request: they are the next one, so that an answer comes however many messages do.
 * @param wish what is asked for, as a text that is another one when that is; undefined while there is nothing, or no connection
 */
export function useGathered(wish: string | undefined, question: Question): void {
  const newest = useRef({ wish, question });
  newest.current = { wish, question };
  /** Also one that failed. */
  const [answered, setAnswered] = useState<string>();
  const isOpen = wish !== undefined && wish !== answered;
  useEffect(() => {
    if (!isOpen) {
      if (wish === undefined) setAnswered(undefined);
      return undefined;
    }
    const stop = new AbortController();
    const fetchThem = async (): Promise<void> => {
      const asked = newest.current;
      const { params, done, failed } = asked.question;
      try {
        const { messages } = await call<{ readonly messages: readonly Message[] }>(
          'GET',
          '/messages',
          { ...params, allow_empty_topic_name: true, client_gravatar: false },
          stop.signal,
        );
        done(messages);
      } catch (error) {
        if (stop.signal.aborted) return;
        failed?.(error);
      }
      setAnswered(asked.wish);
    };
    const timer = setTimeout(() => void fetchThem(), question.isFirst ? 0 : GATHER_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [isOpen, answered, wish === undefined]);
}
