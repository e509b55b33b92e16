import { badRequest } from '#kernel';
import { normalizeContent, truncateContent } from '#markdown';
import type { FileReference } from './messages.events.js';
import { MESSAGE_LENGTH_MAX } from './message-settings.js';

/** Content of a message that an edit empties (endpoints.md §4). */
export const EMPTIED_CONTENT = '(deleted)';

/** Content and the results of rendering, in the shape of the events. */
export interface MessageContent {
  readonly content: string;
  /** HTML; absent when the content is plain. */
  readonly rendered?: string;
  /** Users mentioned personally or through a group, ascending; absent when there are none. */
  readonly mentions?: number[];
  readonly channelWildcard?: true;
  readonly topicWildcard?: true;
  /** Users reached by the topic wildcard, ascending. */
  readonly topicParticipants?: number[];
  /** Readers with an alert word in it, ascending; absent when there are none. */
  readonly alerted?: number[];
  /** Uploaded files that it refers to, and that its author may read; absent when there are none. */
  readonly files?: FileReference[];
}

/** The content of a new message as it is stored (rules.md §5). @throws Refusal BAD_REQUEST when blank or with NUL */
export function acceptContent(raw: string): string {
  const content = normalizedContent(raw);
  if (content === '') throw badRequest('Message must not be empty');
  return content;
}

/** The content of an edited message as it is stored. @throws Refusal BAD_REQUEST with NUL */
export function acceptEditedContent(raw: string): string {
  const content = normalizedContent(raw);
  return content === '' ? EMPTIED_CONTENT : content;
}

/** Any content as it would be stored; the empty string when it is blank (rules.md §5). @throws Refusal BAD_REQUEST with NUL */
export function normalizedContent(raw: string): string {
  if (raw.includes('\0')) throw badRequest('Message must not contain null bytes');
  return truncateContent(normalizeContent(raw), MESSAGE_LENGTH_MAX);
}
