import type { Directory } from '#people';
import { ROLE } from './model/role.js';

/** What the welcome bot knows about, by the word that asks for it. */
const ANSWERS: ReadonlyMap<string, string> = new Map([
  [
    'channels',
    'A channel is for a group of people or a subject, and its subscribers get what is written there. Subscribe to those that concern you, and mute those that you only look into.',
  ],
  [
    'topics',
    'Each message in a channel has a topic, so that several conversations can go on side by side. Begin a new topic for a new subject, and follow or mute topics one by one.',
  ],
  [
    'formatting',
    'Messages are Markdown: `**bold**`, `*italic*`, `` `code` ``, lists, quotes and links. `@**Name**` mentions a person, and `#**channel**` links to a channel.',
  ],
  [
    'notifications',
    'You are told of direct messages and mentions, on your devices or by mail when you are away. Your settings say of what else, for all channels or for one.',
  ],
  [
    'apps',
    'Apps for the Zulip API work with this server, on phones, desktops and in terminals: give them the address of this server, and sign in as you do here.',
  ],
]);

const KEYWORDS = [...ANSWERS.keys()].map((word) => `\`${word}\``).join(', ');

/**
 * The direct message by which the welcome bot greets a new person.
 * @param custom Markdown that follows the greeting; blank for none
 */
export function greetingOf({ organization }: Directory, role: number, custom: string): string {
  const greeting = `Hello, and welcome to ${organization.name}! 👋 This is a direct message from me, Welcome Bot.`;
  const start =
    role >= ROLE.guest
      ? 'You are here as a guest: you see the channels that you were added to.'
      : 'Look around in the channels, and say hello.';
  const hint = `Send me one of these words to learn more: ${KEYWORDS}.`;
  return [`${greeting}\n${start}\n${hint}`, ...(custom.trim() === '' ? [] : [custom.trim()])].join('\n\n');
}

/** What the welcome bot says to a direct message. */
export function welcomeBotAnswer(content: string): string {
  const word = content.toLowerCase().replaceAll(/[^\p{L}]/gu, '');
  return ANSWERS.get(word) ?? `I know these words: ${KEYWORDS}. Send me one of them.`;
}
