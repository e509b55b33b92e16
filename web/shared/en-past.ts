/** Words of the past, which load with it. Like `en.ts`, of which they are a part. */
import { count, en, list } from './en.js';

export interface Change {
  readonly sent: number;
  readonly edited: number;
  readonly moved_in: number;
  readonly moved_out: number;
  readonly resolved: boolean;
}

/** What happened in a conversation. */
interface Told {
  readonly sent: number;
  readonly senders: readonly string[];
  readonly edited: number;
  readonly movedIn: number;
  readonly movedOut: number;
  readonly deleted: number;
  readonly resolvedBy: string | undefined;
  readonly unresolvedBy: string | undefined;
}

export const enPast = {
  now: 'Now',
  rail: 'Times at which this conversation changed',
  railFailed: (reason: string) => `Its past could not be loaded: ${reason}`,
  railCut: 'Earlier changes are not listed.',
  changeBack: 'One change back',
  changeForth: 'One change forth',
  history: 'History of this message',
  version: (at: number, of: number) => `version ${at} of ${of}`,
  by: (name: string) => `by ${name}`,
  restore: 'Restore this wording',
  versions: 'Versions of this message',
  movedFrom: (topic: string) => `moved here from “${topic}”`,
  backToNow: 'Back to now',
  changes: ({ sent, edited, moved_in: movedIn, moved_out: movedOut, resolved }: Change) =>
    list.format(
      [
        sent > 0 ? `${count(sent, 'message', 'messages')} sent` : '',
        edited > 0 ? `${count(edited, 'message', 'messages')} edited` : '',
        movedIn > 0 ? `${count(movedIn, 'message', 'messages')} moved here` : '',
        movedOut > 0 ? `${count(movedOut, 'message', 'messages')} moved elsewhere` : '',
        resolved ? 'resolved, or not any more' : '',
      ].filter((part) => part !== ''),
    ),
  asItWas: (place: string, time: string) => `${place} as it was on ${time}`,
  asItWasHint: 'What was deleted since, and reactions, are not shown.',
  noWriting: 'Nothing can be written into the past.',
  messagesThen: (place: string) => `Messages in ${place}, as they were`,
  pastFailed: (reason: string) => `The past could not be loaded: ${reason}`,
  emptyThen: 'Nothing that you may see stood here then.',
  beginningThen: 'It begins here.',
  pastCut: 'Very many messages have moved elsewhere since. Some of them are missing here.',
  // Since I left
  sinceTitle: 'Since you left',
  sinceWhen: 'The link names no time.',
  sinceNothing: 'Nothing has happened in your conversations.',
  sinceFailed: (reason: string) => `It could not be loaded: ${reason}`,
  tooLongAgo: 'That is too long ago to tell, or too much has happened since. What is unread is in the inbox:',
  sinceCut: 'There were more changes than are told here.',
  sinceYou: (mentions: number, reactions: number, moved: number) => {
    const parts = [
      mentions > 0 ? count(mentions, 'mention', 'mentions') : '',
      reactions > 0 ? count(reactions, 'reaction', 'reactions') : '',
      moved > 0 ? `${count(moved, 'message', 'messages')} of yours moved` : '',
    ].filter((part) => part !== '');
    return parts.length === 0 ? 'Nothing was about you.' : `You: ${parts.join(' · ')}`;
  },
  conversations: 'Conversations',
  reactionsToYou: 'Reactions to your messages',
  mentionedBy: (name: string) => `${name} mentioned you`,
  moreConversations: (value: number) => `And ${count(value, 'conversation', 'conversations')} more.`,
  toldOf: (told: Told) =>
    [
      told.sent > 0 ? `${count(told.sent, 'message', 'messages')} from ${list.format(told.senders)}` : '',
      told.edited > 0 ? `${count(told.edited, 'message', 'messages')} edited` : '',
      told.movedIn > 0 ? `${count(told.movedIn, 'message', 'messages')} moved here` : '',
      told.movedOut > 0 ? `${count(told.movedOut, 'message', 'messages')} moved elsewhere` : '',
      told.deleted > 0 ? `${count(told.deleted, 'message', 'messages')} deleted` : '',
      told.resolvedBy === undefined ? '' : `resolved by ${told.resolvedBy}`,
      told.unresolvedBy === undefined ? '' : `opened again by ${told.unresolvedBy}`,
    ]
      .filter((part) => part !== '')
      .join(' · '),

  reworded: 'Edited since. Its earlier wording is not shown to members.',
};

export type PastWords = typeof enPast & typeof en;

export const pastWords: PastWords = { ...en, ...enPast };
