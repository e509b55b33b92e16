import { wireAlertWords, wireMutedTopics, wireMutedUsers, wireUserTopics } from '#preferences';
import type { FieldTexts } from '../field-texts.js';
import type { Wanted } from '../wanted.js';
import { can, wants } from '../wanted.js';

/** What the viewer decided for themselves, settings aside (register.md §2). */
export function addPreferences(fields: FieldTexts, wanted: Wanted): void {
  const { directory, viewer } = wanted;
  const options = { allowEmptyTopicName: can(wanted, 'empty_topic_name') };
  if (wants(wanted, 'alert_words')) fields.add('alert_words', wireAlertWords(directory, viewer));
  if (wants(wanted, 'muted_users')) fields.add('muted_users', wireMutedUsers(directory, viewer));
  if (wants(wanted, 'user_topic')) fields.add('user_topics', wireUserTopics(directory, viewer, options));
  // Its successor makes it superfluous, except for clients that take everything.
  if (wants(wanted, 'muted_topics') && wanted.keys?.has('user_topic') !== true) {
    fields.add('muted_topics', wireMutedTopics(directory, viewer, options));
  }
}
