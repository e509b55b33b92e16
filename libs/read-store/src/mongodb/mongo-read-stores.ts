import type { SharedReadStores } from '../open-read-store.js';

export function openMongo(url: string): Promise<SharedReadStores> {
  return Promise.reject(new Error(url.slice(0, 0)));
}
