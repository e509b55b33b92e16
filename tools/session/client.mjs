// Somebody who calls the interface.
import { Blob } from 'node:buffer';

/** Everything that a client can say of itself, so that it gets the events in their newest form. */
const CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
};

export const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Somebody who calls the interface; without an account when there is no key. */
export class Client {
  queue;

  constructor(recorder, name, account = {}) {
    Object.assign(this, { recorder, name }, account);
  }

  get(path, parameters) {
    return this.call('GET', path, parameters);
  }
  post(path, parameters) {
    return this.call('POST', path, parameters);
  }
  patch(path, parameters) {
    return this.call('PATCH', path, parameters);
  }
  put(path, parameters) {
    return this.call('PUT', path, parameters);
  }
  delete(path, parameters) {
    return this.call('DELETE', path, parameters);
  }

  /** Sends a form with one file. */
  upload(path, [name, content], fields = {}, method = 'POST') {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.set(field, asText(value));
    body.set('file', new Blob([content]), name);
    return this.recorder.call(this, method, path, { file: name, ...fields }, body);
  }

  /** @returns the body of the answer. Parameters other than texts are sent as JSON. */
  call(method, path, parameters = {}) {
    return this.recorder.call(this, method, path, parameters);
  }

  /** Sends to a channel; the message ID. */
  async send(to, topic, content) {
    return (await this.post('/messages', { type: 'channel', to, topic, content })).id;
  }

  /** Sends a direct message; its ID. */
  async sendTo(users, content) {
    return (await this.post('/messages', { type: 'direct', to: users.map(({ userId }) => userId), content })).id;
  }

  /** Registers the queue whose events the session collects. */
  async listen(parameters = {}) {
    const lifespan = { queue_lifespan_secs: 604_800 };
    const asked = { client_capabilities: CAPABILITIES, slim_presence: true, ...lifespan, ...parameters };
    const { queue_id, last_event_id } = await this.post('/register', asked);
    this.queue = { queue_id, last_event_id };
  }
}
