import { Controller, Get } from '@nestjs/common';
import { Answers, ApiTags, Caller, Params, Summary, TakesOperator } from '#http';
import { assertOwner, type User } from '#users/model';
import { Doctor } from '#runtime';
import { list, object, text, type Wire } from '#wire';
import { DoctorParams } from './operator.params.js';

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
