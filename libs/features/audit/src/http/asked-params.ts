import { integer, Param, type ParamsClass, readParams } from '#http';
import { badRequest } from '#kernel';
import { Min } from '#validation';
import { type Asked, isWithContents, type QuestionWithContents } from '../approvals/scope.js';
import { ActsParams, AuditParams, SearchParams, TopicParams } from './audit.params.js';
import { ExportFileParams, ExportParams } from './export.params.js';

/** With the ID in the path. */
class MessageParams extends AuditParams {
  @Param(integer(), { name: 'message_id' })
  @Min(1)
  messageId!: number;
}

/** With the ID in the path. */
class FileParams extends ExportFileParams {
  @Param(integer(), { name: 'file_id' })
  @Min(1)
  fileId!: number;
}

/** As the routes of the questions read them. */
const PARAMETERS: Readonly<Record<QuestionWithContents, ParamsClass<AuditParams>>> = {
  acts: ActsParams,
  export: ExportParams,
  'export/files': FileParams,
  messages: MessageParams,
  search: SearchParams,
  topic: TopicParams,
};

/** Of each call by itself, and no part of what is approved. */
const OF_CALLS: readonly string[] = ['reason', 'client'];

/**
 * Refuses the request of a call that could not be made: an approval of it would be of no use. Other questions are refused elsewhere.
 * @throws Refusal as the route of the question, and BAD_REQUEST for a name that it does not know
 */
export function assertCouldBeAsked({ question, parameters }: Asked): void {
  if (!isWithContents(question)) return;
  const { ignored } = readParams(PARAMETERS[question], { ...parameters, reason: 'x' });
  const unknown = [...ignored, ...Object.keys(parameters).filter((name) => OF_CALLS.includes(name))][0];
  if (unknown !== undefined) throw badRequest(`The question ${question} has no parameter '${unknown}'.`);
}
