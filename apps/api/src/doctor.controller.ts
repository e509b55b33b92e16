import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  Answers,
  ApiTags,
  Caller,
  Params,
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
   * Answers as late as a poll may, with the beginning at once. Who asks through the proxies learns whether one of them gives up before, and
   * whether one keeps the beginning back.
   */
  @Get('held')
  @WritesAnswer(object({ held_seconds: integer }))
  @Summary(
    'Hold a request',
    'Begins to answer at once and ends after some seconds, to try proxies. For the operator and owners.',
  )
  hold(@Caller() caller: User, @Params(HeldParams) { seconds }: HeldParams, @Res() reply: FastifyReply): Promise<void> {
    assertOwner(caller);
    if (this.#held >= HELD_MAX) throw badRequest('Enough requests are held already.');
    return sendFieldsAfter(reply, async () => `"held_seconds":${await this.#wait(seconds, reply)}`);
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
