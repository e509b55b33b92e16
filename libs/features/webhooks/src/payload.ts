import type { BotService } from '#bots/model';
import type { JsonObject } from '#kernel';
import type { User } from '#users/model';

/** Form of the calls of a service: the interface's own, or Slack's. */
export const SERVICE_INTERFACE = { generic: 1, slack: 2 } as const;

/** A message that calls a bot, as the bot may read it. */
export interface CallingMessage {
  /** In wire format, with HTML. */
  readonly message: JsonObject;
  /** Markdown. */
  readonly content: string;
}

export interface Payload {
  readonly contentType: string;
  readonly body: string;
}

/**
 * What the service is sent (endpoints.md §9).
 * @returns undefined when the form of the service cannot express it: Slack's has no direct messages
 */
export function payloadOf(
  bot: User,
  service: BotService,
  calling: CallingMessage,
  siteUrl: string,
): Payload | undefined {
  return service.interface === SERVICE_INTERFACE.slack
    ? slackPayload(bot, service, calling, siteUrl)
    : genericPayload(bot, service, calling);
}

function genericPayload(bot: User, { token }: BotService, { message, content }: CallingMessage): Payload {
  const { flags: _, content: rendered, ...rest } = message;
  const body = {
    data: content,
    message: { ...rest, content, content_type: 'text/x-markdown', rendered_content: rendered },
    bot_email: bot.email,
    bot_full_name: bot.fullName,
    token,
    trigger: message['type'] === 'private' ? 'direct_message' : 'mention',
  };
  return { contentType: 'application/json', body: JSON.stringify(body) };
}

function slackPayload(
  bot: User,
  { token }: BotService,
  { message, content }: CallingMessage,
  siteUrl: string,
): Payload | undefined {
  if (message['type'] === 'private') return undefined;
  const text = (name: string): string => {
    const value = message[name];
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const form = new URLSearchParams({
    token,
    team_id: 'T1',
    team_domain: new URL(siteUrl).hostname,
    channel_id: `C${text('stream_id')}`,
    channel_name: text('display_recipient'),
    thread_ts: text('id'),
    timestamp: text('timestamp'),
    user_id: `U${text('sender_id')}`,
    user_name: text('sender_full_name'),
    text: content,
    trigger_word: 'mention',
    service_id: String(bot.userId),
  });
  return { contentType: 'application/x-www-form-urlencoded', body: form.toString() };
}
