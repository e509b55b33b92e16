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
