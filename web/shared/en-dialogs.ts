/** Words of what opens over a conversation, which load with it. Like `en.ts`, of which they are a part. */
import { en } from './en.js';

export const dialogWords = {
  ...en,

  // Keys
  keyNext: 'Next, previous message',
  keyCompose: 'Write to this conversation',
  keyInbox: 'Inbox',
  keyGoTo: 'Search or go to',
  keyQuote: 'Quote the message',
  keyStar: 'Star the message',
  keyReact: 'React to the message',
  keyPlay: 'Play or stop the emoji of the message, with reduced motion',
  keyMenu: 'All that can be done with the message',
  keyUndo: 'Undo, while a notice offers it',
  keyEditLast: 'Edit your last message, in an empty composer',
  keyEscape: 'Close, or go back to the messages',
  keyHelp: 'This list',
  keyRead: 'In the inbox: read, mute, follow',
  keyPast: 'One change of the conversation back, or forth',
  keyNextUnread: 'Next unread conversation',

  // Later
  scheduleTitle: 'Send later',
  remindTitle: 'Remind me of this message',
  changeTimeTitle: 'Send at another time',
  inAnHour: 'In an hour',
  inThreeHours: 'In three hours',
  thisEvening: 'This evening',
  tomorrow: 'Tomorrow morning',
  nextMonday: 'On Monday morning',
  ownTime: 'At a time of your own',
  noTime: 'Choose a day and a time.',
  schedule: 'Schedule',
  remind: 'Remind me',
  reminded: (time: string) => `You will be reminded on ${time}.`,
  reminderNote: 'Note to yourself',

  // Drafts and recent conversations
  draftsTitle: 'Drafts',
  draftsNone: 'There are no drafts.',
  discardOf: (place: string) => `Discard what is for ${place}`,
  recentEmpty: 'Nobody has written anything yet.',
  recentFailed: (reason: string) => `The conversations could not be loaded: ${reason}`,

  scheduledTitle: 'Scheduled messages',
  scheduledNone: 'Nothing is scheduled.',
  scheduledFor: (time: string) => `to be sent ${time}`,
  scheduledFailed: 'It could not be sent.',
  changeTime: 'Change the time',
  changeTimeOf: (place: string) => `Change the time of what is for ${place}`,
  remindersTitle: 'Reminders',
  remindersNone: 'You are reminded of nothing.',
  remindedAt: (time: string) => `on ${time}`,
  discardReminder: (content: string) => `Discard the reminder of ${content}`,

  // Moving
  moveTitle: 'Move messages',
  moveTopicTitle: 'Move or rename this topic',
  channel: 'Channel',
  moveWhat: 'What is moved',
  moveModes: {
    change_one: 'this message alone',
    change_later: 'this message and all later ones of the topic',
    change_all: 'all messages of the topic',
  },
  tellOld: 'Leave a notice in the old topic',
  tellNew: 'Leave a notice in the new topic',
  move: 'Move',
  joins: 'This topic has messages already. What is joined with them cannot be undone.',
  joinedWith: (topic: string) => `Moved to “${topic}”, among other messages: this cannot be undone.`,
  movedBack: (topic: string) => `Moved back to “${topic}”.`,
  nothingToMove: 'Nothing is left here that can be moved.',

  // Writing
  previewEmpty: 'What you write is shown here as others will see it.',
  editing: 'Editing your message',

  // Emoji
  emojiGroupBar: 'Groups of emoji',
  emojiGroups: {
    used: 'Used most',
    own: 'Of this organization',
    smileys: 'Smileys and feelings',
    people: 'People and body',
    nature: 'Animals and nature',
    food: 'Food and drink',
    travel: 'Travel and places',
    activities: 'Activities',
    objects: 'Objects',
    symbols: 'Symbols',
    flags: 'Flags',
  },
  findEmoji: 'Find an emoji',
  noEmoji: 'No emoji has such a name.',
  skinTone: 'Skin tone',
  skinTones: ['No skin tone', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'],

  // People
  statusTitle: 'Your status',
  statusText: 'What others are to know',
  statusEmoji: 'Choose an emoji',
  statusClear: 'Take the status back',
  statuses: {
    busy: 'Busy',
    meeting: 'In a meeting',
    lunch: 'At lunch',
    sick: 'Out sick',
    holiday: 'On holiday',
  },
  readersTitle: 'Who has read it',
  readBy: (value: number) => (value === 0 ? 'Nobody else has read it yet.' : `${en.people(value)}:`),

  // Editing
  clash: 'The message was changed while you were editing it. Nothing is saved yet.',
  clashTitle: 'From what it says now to what you typed',
  clashHint: 'Save to replace what it says now, or go on from there.',
  saveMine: 'Save mine',
  takeTheirs: 'Take what it says now',

  // Snippets
  snippetsTitle: 'Saved snippets',
  findSnippet: 'Find a snippet',
  snippetsNone: 'There are no snippets yet. Save what you write again and again.',
  noSnippet: 'No snippet matches.',
  insertSnippet: (title: string) => `Insert “${title}”`,
  changeSnippet: (title: string) => `Change “${title}”`,
  removeSnippet: (title: string) => `Delete “${title}”`,
  newSnippet: 'New snippet',
  snippetTitle: 'Title',
  snippetContent: 'Text',
};
