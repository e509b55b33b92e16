/**
 * Who did what an event records that has no origin, by its type: a field of its data with a user's ID (null for the server), or somebody
 * else. Types that are not here have the field `by`.
 */
export const ACTORS: Readonly<Record<string, string>> = {
  ...named('senderId', ['message.sent.v1', 'submessage.added.v1', 'send.reserved.v1']),
  ...named('creatorId', ['channel.created.v1']),
  ...named('userId', [
    ...['reaction.added.v1', 'reaction.removed.v1', 'flags.changed.v1', 'file.uploaded.v1'],
    ...['user.email-change-requested.v1', 'user.email-visibility-changed.v1', 'subscription.settings-changed.v1'],
    ...['bot-storage.set.v1', 'bot-storage.removed.v1', 'mute.added.v1', 'mute.removed.v1'],
    ...['alert-words.added.v1', 'alert-words.removed.v1', 'topic-policy.set.v1', 'user-settings.changed.v1'],
    ...['onboarding-step.completed.v1', 'drafts.added.v1', 'draft.changed.v1', 'draft.removed.v1', 'drafts.erased.v1'],
    ...['snippet.added.v1', 'snippet.changed.v1', 'snippet.removed.v1'],
    ...['navigation-view.added.v1', 'navigation-view.changed.v1', 'navigation-view.removed.v1'],
    ...['scheduled-message.added.v1', 'scheduled-message.changed.v1', 'scheduled-message.removed.v1'],
    ...['reminder.added.v1', 'reminder.removed.v1', 'push-token.added.v1', 'push-token.removed.v1'],
    ...['client-device.added.v1', 'client-device.removed.v1', 'client-device.key-changed.v1'],
    ...['push-registration.requested.v1', 'zoom-account.connected.v1', 'zoom-account.disconnected.v1'],
    'invitation.accepted.v1',
  ]),
  ...named('operator', ['organization.created.v1', 'organization.reactivated.v1']),
  ...named('server', [
    ...['organization.server-upgraded.v1', 'user.waiting-changed.v1', 'follow-up.done.v1'],
    ...['scheduled-message.due.v1', 'scheduled-message.sent.v1', 'scheduled-message.failed.v1'],
    ...['reminder.due.v1', 'reminder.sent.v1', 'reminder.failed.v1', 'invitation.expired.v1'],
    ...['push-registration.postponed.v1', 'push-registration.completed.v1', 'push-registration.failed.v1'],
    ...['notice.queued.v1', 'notice.postponed.v1', 'notice.finished.v1'],
    ...['missed-messages.noted.v1', 'missed-mail.batched.v1'],
    ...['mail.queued.v1', 'mail.submitting.v1', 'mail.sent.v1', 'mail.postponed.v1', 'mail.dropped.v1'],
    ...['export.running.v1', 'export.given-up.v1', 'export.finished.v1', 'export.failed.v1'],
    ...['webhook.calling.v1', 'webhook.postponed.v1', 'webhook.finished.v1', 'zoom-account.refreshed.v1'],
  ]),
  // Files are removed by people and by the clean-up, accounts made by people and by the first start, keys issued to others.
  ...named('unknown', ['file.removed.v1', 'user.created.v1', 'user.api-key-issued.v1', 'invitations.revoked.v1']),
  // They have had an origin from the start.
  ...named('unknown', ['follow-up.dropped.v1', 'visit.began.v1']),
};

function named(actor: string, types: readonly string[]): Record<string, string> {
  return Object.fromEntries(types.map((type) => [type, actor]));
}
