import { described, type EventSchemas, integer, list, named, object, text, type Wire, words } from '#wire';
import type { Draft } from './drafts.events.js';

/** A draft as clients see it (objects.md, "Draft"). */
export const DraftSchema = named(
  'Draft',
  object({
    id: integer,
    type: words('', 'stream', 'private'),
    to: described(list(integer), 'ID of the channel, or those of the other people.'),
    topic: text,
    content: text,
    timestamp: integer,
  }),
);
export type WireDraft = Wire<typeof DraftSchema>;

export const draftEventSchemas = {
  'drafts/add': { drafts: list(DraftSchema) },
  'drafts/update': { draft: DraftSchema },
  'drafts/remove': { draft_id: integer },
} satisfies EventSchemas;

export const draftFieldSchemas = { drafts: list(DraftSchema) };

export function wireDraft({ draftId: id, addressee, content, timestamp }: Draft): WireDraft {
  switch (addressee.kind) {
    case 'channel':
      return { id, type: 'stream', to: [addressee.channelId], topic: addressee.topic, content, timestamp };
    case 'direct':
      return { id, type: 'private', to: addressee.userIds, topic: '', content, timestamp };
    case 'nobody':
      return { id, type: '', to: [], topic: '', content, timestamp };
  }
}
