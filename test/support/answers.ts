import { fetch } from '#testing';
import type { Answer, ApiClient } from './client.js';

/** Expects an error with this code and status; returns its body. */
export function expectRefusal(answer: Answer, code: string, status = 400): any {
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status,
    body: { result: 'error', msg: expect.stringMatching(/\S/), code },
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  return answer.body;
}

/** Sends a hand-written request; the answer must be JSON or empty. */
export async function exchange(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

export function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

/** The first account of every organization. */
export const NOTIFICATION_BOT_ID = 1;

/** The message as this user sees it. */
export async function messageOf(client: ApiClient, id: number, parameters: Record<string, unknown> = {}): Promise<any> {
  return (await client.ok('GET', `/messages/${id}`, parameters)).message;
}

/** All messages in a narrow, oldest first. */
export async function messagesIn(
  client: ApiClient,
  narrow: unknown = [],
  parameters: Record<string, unknown> = {},
): Promise<any[]> {
  const window = { anchor: 'oldest', num_before: 0, num_after: 1000, allow_empty_topic_name: true };
  return (await client.ok('GET', '/messages', { narrow, ...window, ...parameters })).messages;
}

export function idsOf(messages: readonly { id: number }[]): number[] {
  return messages.map(({ id }) => id);
}

export async function channelId(client: ApiClient, name: string): Promise<number> {
  return (await client.ok('GET', '/get_stream_id', { stream: name })).stream_id;
}
