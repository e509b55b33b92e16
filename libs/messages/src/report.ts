import { silentMention } from '#markdown';
import { SERVER_CONSTANTS, type User } from '#organization';

/** Reasons for a report, by the key that requests name. */
const REASONS: ReadonlyMap<string, string> = new Map(
  SERVER_CONSTANTS.server_report_message_types.map(({ key, name }) => [key, name]),
);

/** Of the description (endpoints.md §4). */
export const REPORT_LENGTH_MAX = 1000;

export interface Report {
  /** A key of `server_report_message_types`. */
  readonly type: string;
  readonly description: string;
}

/** Why there can be no such report; undefined when it is fine (endpoints.md §4, POST /messages/{id}/report). */
export function problemWithReport({ type, description }: Report): string | undefined {
  if (!REASONS.has(type)) return `Invalid report_type. It must be one of: ${[...REASONS.keys()].join(', ')}`;
  return type === 'other' && description.trim() === '' ? 'An explanation is required' : undefined;
}

/** What moderators are told: who reported what, of whom, and why. Nobody is mentioned so that they would notice. */
export function reportText(
  { type, description }: Report,
  reporter: User,
  reported: User,
  message: { readonly content: string; readonly link: string },
): string {
  const notes = description.trim();
  return [
    `${silentMention(reporter)} reported [a message](${message.link}) sent by ${silentMention(reported)}.`,
    `- Reason: **${REASONS.get(type) ?? type}**`,
    ...(notes === '' ? [] : ['- Notes:', quoted(notes)]),
    '- Message:',
    quoted(message.content),
  ].join('\n');
}

/** A fence that nothing in the text can end. */
function quoted(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}quote\n${text}\n${fence}`;
}
