import { type CollectionSchema, projection } from '#read-store';
import { timersOf } from '#timers';
import type { MailEvent } from './mail.events.js';

/** A mail that is neither sent nor given up. */
export interface MailDocument {
  template: string;
  values: Readonly<Record<string, string>>;
  isSubmitting: boolean;
}

export const outgoingMailCollection = {
  name: 'outgoing_mail',
  key: 'text',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

export const outgoingMailProjection = projection<MailDocument, MailEvent>(outgoingMailCollection, {
  'mail.queued.v1': {
    keys: ({ data }) => [data.mailId],
    creates: true,
    evolve: (_doc, { data: { template, values } }) => ({ template, values, isSubmitting: false }),
  },
  'mail.submitting.v1': {
    keys: ({ data }) => [data.mailId],
    evolve: (doc) => doc && { ...doc, isSubmitting: true },
  },
  'mail.postponed.v1': {
    keys: ({ data }) => [data.mailId],
    evolve: (doc) => doc && { ...doc, isSubmitting: false },
  },
  // Without `evolve` the document is removed.
  'mail.sent.v1': { keys: ({ data }) => [data.mailId] },
  'mail.dropped.v1': { keys: ({ data }) => [data.mailId] },
});

/** When a mail is to be sent, or the outcome of its attempt to be known. */
export const mailTimers = timersOf<MailEvent>('mail', {
  'mail.queued.v1': ({ data: { mailId, at } }) => [{ subject: mailId, dueAt: at }],
  'mail.submitting.v1': ({ data: { mailId, until } }) => [{ subject: mailId, dueAt: until }],
  'mail.postponed.v1': ({ data: { mailId, until } }) => [{ subject: mailId, dueAt: until }],
  'mail.sent.v1': ({ data: { mailId } }) => [{ subject: mailId, dueAt: undefined }],
  'mail.dropped.v1': ({ data: { mailId } }) => [{ subject: mailId, dueAt: undefined }],
});
