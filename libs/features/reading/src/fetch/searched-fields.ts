import { escapeText } from '#markdown';
import { htmlOf, type MessageDocument, wireTopic } from '#messages';
import { highlighted } from '../search/highlight.js';
import type { SearchMarks } from '../search/search-query.js';
import type { Narrow } from '../narrow/narrow.js';

/** Fields of a search result: HTML with marked words (endpoints.md §3). */
export interface SearchedFields {
  readonly match_content: string;
  readonly match_subject: string;
}

const NOTHING: SearchMarks = { words: new Set(), phrases: [] };

export function searchedFields(narrow: Narrow, doc: MessageDocument, allowEmptyTopicName: boolean): SearchedFields {
  const marks = narrow.search?.marks ?? NOTHING;
  const topic = doc.topic === undefined ? '' : wireTopic(doc.topic, allowEmptyTopicName);
  return { match_content: highlighted(htmlOf(doc), marks), match_subject: highlighted(escapeText(topic), marks) };
}
