import { useEffect, useRef, useState } from 'react';
import { ApiFailure, call, reasonOf } from './api.js';

/** Rest after which the server is asked. */
const ASK_AFTER_MS = 500;
/** Pause after an answer that did not come, or that the server was too busy for. */
export const AGAIN_AFTER_MS = 3_000;

/** Whether the same call may be answered in a while. */
export const mayComeLater = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.kind === 'busy' || error.kind === 'offline');

export type Asked<Answer> = { readonly answer: Answer } | { readonly reason: string };

/**
 * What the server says of something that is being written. The first time it is asked at once.
 * @param params of the call; undefined where there is nothing to ask
 * @param rules what else the answer depends on: another one asks again
 */
export function useAsked<Answer>(path: string, params: object | undefined, rules?: unknown): Asked<Answer> | undefined {
  const [shown, setShown] = useState<Asked<Answer>>();
  const hasAsked = useRef(false);
  const wanted = JSON.stringify(params);
  useEffect(() => {
    if (params === undefined) {
      setShown(undefined);
      return undefined;
    }
    const asking = new AbortController();
    const { signal } = asking;
    const ask = (): void => {
      hasAsked.current = true;
      call<Answer>('POST', path, { ...params }, signal).then(
        (answer) => setShown({ answer }),
        (error: unknown) => {
          if (signal.aborted) return;
          setShown({ reason: reasonOf(error) });
          if (mayComeLater(error)) timer = setTimeout(ask, AGAIN_AFTER_MS);
        },
      );
    };
    let timer = setTimeout(ask, hasAsked.current ? ASK_AFTER_MS : 0);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [path, wanted, rules]);
  return shown;
}
