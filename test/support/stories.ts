import type { ApiClient } from './client.js';

/** Other settings of the organization while the story lasts; `usual` are the ones to go back to. */
export async function withSettings(
  owner: ApiClient,
  settings: Record<string, unknown>,
  usual: Record<string, unknown>,
  story: () => Promise<void>,
): Promise<void> {
  await owner.ok('PATCH', '/realm', settings);
  try {
    await story();
  } finally {
    await owner.ok('PATCH', '/realm', usual);
  }
}

/** Time passes by so much while the story lasts, for the server in this process and for the test. */
export async function later(seconds: number, story: () => Promise<void>): Promise<void> {
  const now = Date.now;
  Date.now = () => now() + seconds * 1000;
  try {
    await story();
  } finally {
    Date.now = now;
  }
}
