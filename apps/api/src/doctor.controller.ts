import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  Answers,
  ApiTags,
  Caller,
  Params,
  sendFields,
  sendFieldsAfter,
  Shutdown,
  Summary,
  TakesOperator,
  WritesAnswer,
} from '#http';
import { badRequest, sleep } from '#kernel';
import { assertOwner, type User } from '#users/model';
import { Doctor } from '#runtime';
import { integer, list, object, text, type Wire } from '#wire';
import { DoctorParams, HeldParams } from './operator.params.js';

/** A few operators at once. */
const HELD_MAX = 4;

const ChecksSchema = object({ checks: list(object({ name: text, state: text, text })) });

/** What an operator should know of the server that answers. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator/doctor')
export class DoctorController {
  constructor(private readonly doctor: Doctor) {}

  @Get()
  @Answers(ChecksSchema)
  @Summary('Check the server', 'Settings, stores, disks, clock and certificate. For the operator and owners.')
  async checks(
    @Caller() caller: User,
    @Params(DoctorParams) { now }: DoctorParams,
  ): Promise<Wire<typeof ChecksSchema>> {
    assertOwner(caller);
    return { checks: (await this.doctor.checks(now)).map((check) => ({ ...check })) };
  }
}

/** Below the path of polls, since proxies are set up by path. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/events')
export class HeldController {
  #held = 0;

  constructor(private readonly shutdown: Shutdown) {}

  /**
   * Silent for as long as a poll may be, without even a head: the caller learns whether a proxy gives up before. With `begin_at_once` the
   * caller learns whether a proxy keeps the beginning of an answer back.
   */
  @Get('held')
  @WritesAnswer(object({ held_seconds: integer }))
  @Summary(
    'Hold a request',
    'Answers after some seconds, as a poll that waits does, to try proxies. For the operator and owners.',
  )
  async hold(
    @Caller() caller: User,
    @Params(HeldParams) { seconds, begin_at_once }: HeldParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    assertOwner(caller);
    if (this.#held >= HELD_MAX) throw badRequest('Enough requests are held already.');
    const fields = async (): Promise<string> => `"held_seconds":${await this.#wait(seconds, reply)}`;
    if (begin_at_once) await sendFieldsAfter(reply, fields);
    else sendFields(reply, await fields());
  }

  async #wait(seconds: number, reply: FastifyReply): Promise<number> {
    const begunMs = performance.now();
    this.#held++;
    // A proxy that gives up, which is what is looked for, makes room for the next try.
    const gone = new AbortController();
    reply.raw.once('close', () => {
      gone.abort();
    });
    try {
      await sleep(seconds * 1000, AbortSignal.any([this.shutdown.signal, gone.signal]), { ref: false });
    } finally {
      this.#held--;
    }
    // A timer counts from the beginning of its turn of the loop, which may be before this moment.
    return Math.round((performance.now() - begunMs) / 1000);
  }
}
