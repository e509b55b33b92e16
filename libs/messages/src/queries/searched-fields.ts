import { escapeText } from '#markdown';
import { highlighted } from '../search/highlight.js';
import type { MessageDocument } from '../projections/message.document.js';
import { htmlOf } from '../wire-message.js';
import { wireTopic } from '../wire-topic.js';
import type { Narrow } from './narrow/narrow.js';

/** What a search found in a message: HTML with its words marked (endpoints.md §3). */
export interface SearchedFields {
  readonly match_content: string;
  readonly match_subject: string;
}

const NOTHING: ReadonlySet<string> = new Set();

export function searchedFields(narrow: Narrow, doc: MessageDocument, allowEmptyTopicName: boolean): SearchedFields {
  const words = narrow.search?.words ?? NOTHING;
  const topic = doc.topic === undefined ? '' : wireTopic(doc.topic, allowEmptyTopicName);
  return { match_content: highlighted(htmlOf(doc), words), match_subject: highlighted(escapeText(topic), words) };
}
