import type { Draft } from './drafts.events.js';

/** A draft as clients see it (objects.md, "Draft"). */
export type WireDraft = {
  readonly id: number;
  readonly type: '' | 'stream' | 'private';
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  readonly timestamp: number;
};

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
