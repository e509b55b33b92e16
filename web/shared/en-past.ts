/** Words of the past, which load with it. Like `en.ts`, of which they are a part. */
import { count, en, list } from './en.js';

export interface Change {
  readonly sent: number;
  readonly edited: number;
  readonly moved_in: number;
  readonly moved_out: number;
  readonly resolved: boolean;
}

export const enPast = {
  now: 'Now',
  rail: 'Times at which this conversation changed',
  railHint: 'Show how it read before',
  railFailed: (reason: string) => `Its past could not be loaded: ${reason}`,
  railCut: 'Earlier changes are not listed.',
  changeBack: 'One change back',
  changeForth: 'One change forth',
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
  reworded: 'Edited since. Its earlier wording is not shown to members.',
};

export type PastWords = typeof enPast & typeof en;

export const pastWords: PastWords = { ...en, ...enPast };
