import { badRequest } from '#kernel';
import type { BotService } from './model/bot.js';

/** 1 for the interface's own form of calls, 2 for Slack's. */
const INTERFACES: readonly number[] = [1, 2];
const URL_LENGTH_MAX = 2000;
const NAME_LENGTH_MAX = 100;

/** @throws Refusal BAD_REQUEST */
export function acceptService(service: BotService): BotService {
  const { name, url } = service;
  if (!INTERFACES.includes(service.interface)) throw badRequest('Invalid interface type');
  if (url.length > URL_LENGTH_MAX || !isHttpAddress(url)) throw badRequest('payload_url is not a URL');
  if (name.length > NAME_LENGTH_MAX)
    throw badRequest(`service_name is too long (limit: ${NAME_LENGTH_MAX} characters)`);
  return service;
}

function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
