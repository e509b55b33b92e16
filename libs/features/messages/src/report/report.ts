import { fenceAround, silentMention } from '#markdown';
import { SERVER_CONSTANTS } from '#realm/model';
import type { User } from '#users/model';

/** Reasons for a report, by the key that requests name. */
const REASONS: ReadonlyMap<string, string> = new Map(
  SERVER_CONSTANTS.server_report_message_types.map(({ key, name }) => [key, name]),
);

/** Limit of the description (endpoints.md §4). */
export const REPORT_LENGTH_MAX = 1000;

export interface Report {
  /** A key of `server_report_message_types`. */
  readonly type: string;
  readonly description: string;
}

/** Why the report is invalid; undefined when it is valid (endpoints.md §4, POST /messages/{id}/report). */
export function problemWithReport({ type, description }: Report): string | undefined {
  if (!REASONS.has(type)) return `Invalid report_type. It must be one of: ${[...REASONS.keys()].join(', ')}`;
  return type === 'other' && description.trim() === '' ? 'An explanation is required' : undefined;
}

/** Notice for the moderators: who reported what, of whom, and why. Uses silent mentions only. */
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

/** Quotes the text in a fence that nothing in it can end. */
function quoted(text: string): string {
  const fence = fenceAround(text);
  return `${fence}quote\n${text}\n${fence}`;
}
