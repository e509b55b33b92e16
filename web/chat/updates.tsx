import { type ReactNode, useEffect, useState } from 'react';
import { workerAddress } from '../shared/rendered-html.js';
import { words } from '../shared/words.js';

/** Keeps the files of the page for times without a connection, and offers a new version. */
export function Updates({ className }: { readonly className: string | undefined }): ReactNode {
  const [waiting, setWaiting] = useState<ServiceWorker>();
  // Another tab has updated: files of this version may be gone.
  const [isReplaced, setReplaced] = useState(false);
  useEffect(() => {
    // Missing on plain http from another host: the page works as well, but does not open without a connection.
    if (!('serviceWorker' in navigator)) return;
    const hadOne = navigator.serviceWorker.controller !== null;
    navigator.serviceWorker.addEventListener('controllerchange', () => setReplaced(hadOne));
    navigator.serviceWorker.register(workerAddress(), { scope: '/' }).then(
      (registration) => {
        const look = (): void => {
          // The first one has nothing to replace.
          if (registration.waiting !== null && navigator.serviceWorker.controller !== null)
            setWaiting(registration.waiting);
        };
        const watch = (): void => registration.installing?.addEventListener('statechange', look);
        look();
        // One may have been found before.
        watch();
        registration.addEventListener('updatefound', watch);
      },
      (error: unknown) => console.warn(String(error)),
    );
  }, []);
  if (waiting === undefined && !isReplaced) return null;
  const update = (): void => {
    if (waiting === undefined || isReplaced) {
      location.reload();
      return;
    }
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('update');
  };
  return (
    <div role="status" className={className}>
      {words.newVersion}
      <button type="button" onClick={update}>
        {words.reloadToUpdate}
      </button>
    </div>
  );
}
