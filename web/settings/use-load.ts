import { useCallback, useEffect, useRef, useState } from 'react';
import { reasonOf } from '../shared/api.js';
import { AGAIN_AFTER_MS, mayComeLater } from '../shared/use-asked.js';

export interface Loaded<Value> {
  /** Undefined before the first answer. */
  readonly value: Value | undefined;
  /** Why it is not there. */
  readonly reason: string | undefined;
  /** Loads it again. @throws Error when that is refused */
  readonly refresh: () => Promise<void>;
}

/** Loads what is shown: at once, for each other `load`, and again by itself where the server has not answered or was too busy. */
export function useLoad<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [value, setValue] = useState<Value>();
  const [reason, setReason] = useState<string>();
  const [asked, shown] = [useRef(0), useRef(0)];
  const refresh = useCallback(async () => {
    const mine = ++asked.current;
    const answer = await load();
    // One that was asked for later may have come before.
    if (mine < shown.current) return;
    shown.current = mine;
    setValue(() => answer);
  }, [load]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const attempt = (): void => {
      refresh().then(
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
  }, [refresh]);
  return { value, reason, refresh };
}
