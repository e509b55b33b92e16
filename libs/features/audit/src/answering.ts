import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type Damage, EventStore } from '#event-store';
import { sendLines } from '#http';
import { badRequest, Clock, Semaphore } from '#kernel';
import type { User } from '#users/model';
import { ActorRequests } from './actor.js';
import { Approvals } from './approvals/approvals.js';
import type { Asked } from './approvals/scope.js';
import { AuditCalls, type RecordedCall } from './calls/audit-calls.js';
import type { AnswerLog } from './log/answer-log.js';
import { type Moment, readMoment } from './moment.js';
import { CLOCKS_APART_SECONDS } from './past/moments.js';
import { type Answers, Questions } from './questions.js';
import type { DamageRow, Row } from './rows.js';

/** Answers that are made at the same time, by all auditors of this process. Others wait. */
const ANSWERS_AT_ONCE = 4;

/** A question of an auditor, with the parameters that all questions have. */
export interface Question {
  /** As the last parts of the path. */
  readonly name: string;
  /** By their names on the wire; undefined for what was not given. */
  readonly parameters: Readonly<Record<string, string | number | undefined>>;
  readonly reason: string;
  readonly asOf: string | undefined;
}

/** Answers auditors: the call is approved where that is needed, and recorded, and the rows are written while they are found. */
@Injectable()
export class Answering {
  readonly #places = new Semaphore(ANSWERS_AT_ONCE);

  constructor(
    private readonly approvals: Approvals,
    private readonly calls: AuditCalls,
    private readonly questions: Questions,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /**
   * The last line, of type `end`, says that nothing was cut off, how many rows it has, and up to which position of the log it is. Damaged
   * records, without which the answer was made, have rows of their own.
   * @param find finds the rows; it may throw a refusal before the first one
   * @throws Refusal as `record` and `find`
   */
  async answer(
    reply: FastifyReply,
    auditor: User,
    question: Question,
    find: (answers: Answers, moment: Moment, call: RecordedCall) => AsyncIterable<Row>,
  ): Promise<void> {
    const moment = readMoment(question.asOf);
    const call = await this.record(auditor, question);
    const answers = this.questions.answers();
    await this.#places.run(() => sendLines(reply, whole(answers.log, find(answers, moment, call), call.position)));
  }

  /**
   * Records a question whose answer has no lines.
   * @param includes as `Approvals.of`
   * @throws Refusal APPROVAL_REQUIRED; BAD_REQUEST, when `asOf` is no moment that the log has reached
   */
  async record(
    auditor: User,
    { name: question, parameters, reason, asOf }: Question,
    includes?: (approved: Asked) => Promise<boolean>,
  ): Promise<RecordedCall> {
    await this.#assertReached(readMoment(asOf));
    const given = Object.entries({ ...parameters, as_of: asOf }).filter(([, value]) => value !== undefined);
    const asked = { question, parameters: Object.fromEntries(given.map(([name, value]) => [name, String(value)])) };
    const approval = await this.approvals.of(auditor, asked, includes);
    return this.calls.record(auditor, { ...asked, reason, approval });
  }

  /** The answer as of a later moment would be that of now, and claim more than it knows. */
  async #assertReached(moment: Moment): Promise<void> {
    if (moment.kind === 'time' && moment.seconds > this.clock.nowSeconds() + CLOCKS_APART_SECONDS)
      throw badRequest('as_of is in the future. Leave it out to ask about now.');
    if (moment.kind !== 'position') return;
    const head = await this.store.head();
    if (moment.position > head) throw badRequest(`as_of is behind the end of the log, which is position ${head}.`);
  }
}

async function* whole(log: AnswerLog, found: AsyncIterable<Row>, position: number): AsyncGenerator<object, void, void> {
  let rows = 0;
  for await (const row of withDamage(log, found)) {
    rows++;
    yield row;
  }
  yield { type: 'end', rows, log_position: position };
}

/** The rows with their actors, each after the damage that was met on the way to it. */
async function* withDamage(log: AnswerLog, found: AsyncIterable<Row>): AsyncGenerator<object, void, void> {
  const requests = new ActorRequests(log);
  for await (const row of found) {
    const actor = await requests.whole(row.actor);
    yield* log.taken().map(damageRow);
    yield { ...row, actor };
  }
  yield* log.taken().map(damageRow);
}

function damageRow({ position, through, stream, revision, reason }: Damage): DamageRow {
  return { type: 'damaged', position, through, stream, revision, reason, actor: { kind: 'unknown' } };
}
