import { sentDocument } from '#messages';
import { archivedMessage } from './archived-message.js';

const sent = { senderId: 9, channelId: 1, topic: 'lunch', client: 'x', at: 100 };
const widget = { type: 'poll', content: '{"widget_type":"poll"}' } as const;

test('an archive has the widget that a service asked for; one that follows from the content is not repeated', () => {
  const archived = archivedMessage(7, sentDocument({ ...sent, content: 'Vote', widget }), []);
  expect(archived).toMatchObject({ content: 'Vote', widget: widget.content, submessages: [] });
  expect(archivedMessage(7, sentDocument({ ...sent, content: '/poll Vote' }), []).widget).toBeUndefined();
});
