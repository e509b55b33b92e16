import { useEffect, useState } from 'react';
import { reasonOf } from '../shared/api.js';
import { AGAIN_AFTER_MS, mayComeLater } from '../shared/use-asked.js';

/**
 * Loads what is shown: at once, for each other `load`, and again by itself where the server has not answered or was too busy.
 * @returns why it is not there
 */
export function useLoad(load: () => Promise<unknown>): string | undefined {
  const [reason, setReason] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const attempt = (): void => {
      load().then(
        () => {
          // A load that has followed says how it went.
          if (!isOver) setReason(undefined);
        },
        (error: unknown) => {
          if (isOver) return;
          setReason(reasonOf(error));
          if (mayComeLater(error)) timer = setTimeout(attempt, AGAIN_AFTER_MS);
        },
      );
    };
    attempt();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [load]);
  return reason;
}
