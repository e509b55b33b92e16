import { useEffect, useRef } from 'react';

/** The same while the part is shown. Once it has gone, nothing: what closes a dialog late would close the one opened since. */
export function useWhileThere(act: () => void): () => void {
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  return () => {
    if (isThere.current) act();
  };
}
