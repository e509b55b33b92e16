/**
 * The service worker: keeps the files of the page, so that it opens without a connection. It keeps no answers of the interface. A
 * new version waits until the reader asks for it, or has closed all tabs.
 */

/** Put in by tools/build-web.mjs: paths of the files with a hash in their names, and a hash of all of them. */
declare const __FILES__: readonly string[];
declare const __VERSION__: string;

/** Of the types of workers, which exclude those of pages. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Worker {
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void;
  skipWaiting(): Promise<void>;
}

const worker = globalThis as unknown as Worker;
const PREFIX = 'page-';
const CACHE = PREFIX + __VERSION__;
const SHELL = '/';

worker.addEventListener('install', (event) => {
  event.waitUntil(fill());
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(forgetOthers());
});

worker.addEventListener('message', ({ data }) => {
  if (data === 'update') void worker.skipWaiting();
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate' && pathname === SHELL) event.respondWith(shell(request));
  else if (__FILES__.includes(pathname)) event.respondWith(file(request));
});

async function fill(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(__FILES__);
  // Others than browsers get JSON there.
  const page = await fetch(SHELL, { headers: { accept: 'text/html' }, cache: 'no-store' });
  if (!page.ok) throw new Error(`The page was answered with ${page.status}.`);
  await cache.put(SHELL, page);
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

/** From the server; without it, and while it starts, as it was. */
async function shell(request: Request): Promise<Response> {
  const answer = await fetch(request).catch((error: unknown) => error as Error);
  if (answer instanceof Response && answer.status < 500) return answer;
  // It is out of reach, or starts: the page says so, and goes on by itself.
  const kept = await (await caches.open(CACHE)).match(SHELL, { ignoreVary: true, ignoreSearch: true });
  if (kept !== undefined) return kept;
  if (answer instanceof Response) return answer;
  throw answer;
}

/** What has a hash in its name never changes. */
async function file(request: Request): Promise<Response> {
  const kept = await (await caches.open(CACHE)).match(request, { ignoreVary: true });
  return kept ?? fetch(request);
}

export {};
