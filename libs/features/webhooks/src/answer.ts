import type { BotService } from '#bots/model';
import { parsedJson, type ServiceReports } from '#kernel';
import { givenWidget } from '#messages';
import type { PostedAnswer } from './http-client/post.js';
import { SERVICE_INTERFACE } from './payload.js';
import type { CallOutcome } from './webhook.commands.js';

/** `widget_content` that is not valid, which is left out. */
export class InvalidWidgetContent extends Error {
  override readonly name = 'InvalidWidgetContent';
}

/** What an answer of a service means (endpoints.md §9). */
export function outcomeOf(service: BotService, { status, text }: PostedAnswer, reports: ServiceReports): CallOutcome {
  const reason = `The service answered with status ${status}.`;
  if (status >= 500) return { kind: 'later', reason };
  if (status < 200 || status > 299) return { kind: 'never', reason };
  const answer = parsedJson(text);
  // Some services answer with an empty text when they have nothing to say.
  if (answer === '') return { kind: 'answered' };
  if (answer === undefined) return { kind: 'never', reason: 'The answer of the service is no JSON.' };
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    return { kind: 'never', reason: 'The answer of the service is no object.' };
  const fields = answer as Readonly<Record<string, unknown>>;
  const said = service.interface === SERVICE_INTERFACE.slack ? fields['text'] : genericReply(fields);
  if (said === undefined || said === null) return { kind: 'answered' };
  if (typeof said !== 'string') return { kind: 'never', reason: 'What the service says is no text.' };
  if (said.trim() === '') return { kind: 'answered' };
  const asked = service.interface === SERVICE_INTERFACE.slack ? undefined : fields['widget_content'];
  if (asked === undefined || asked === null) return { kind: 'answered', reply: said };
  const widget = givenWidget(asked);
  if (widget === undefined) reports.failed('outgoing webhook', new InvalidWidgetContent());
  return { kind: 'answered', reply: said, widget };
}

function genericReply(fields: Readonly<Record<string, unknown>>): unknown {
  if (fields['response_not_required'] === true) return undefined;
  return fields['content'] ?? fields['response_string'];
}
