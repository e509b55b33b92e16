import type { SharedReadStores } from '../read-stores.js';

export function openMongo(url: string): Promise<SharedReadStores> {
  return Promise.reject(new Error(url.slice(0, 0)));
}
