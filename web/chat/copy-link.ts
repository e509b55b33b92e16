import { words } from '../shared/words.js';
import { say } from './announcer.js';

/** Copies a link, and says so. Where nothing can be copied, it is shown for that. */
export async function copyLink(link: string): Promise<void> {
  // Only in secure contexts: not on plain http from another host.
  if ('clipboard' in navigator) {
    await navigator.clipboard.writeText(link);
    say(words.linkCopied);
  } else prompt(words.copyLink, link);
}
