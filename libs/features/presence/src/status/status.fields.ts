import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { isSpectator } from '#users/model';
import { Statuses } from './statuses.js';

/** Status of all users in the register response (register.md §2, `user_status`). */
@Injectable()
export class StatusFields extends RegisterFields {
  override readonly keys = ['user_status'];

  constructor(private readonly statuses: Statuses) {
    super();
  }

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'user_status')) return;
    if (isSpectator(context.viewer)) {
      fields.add('user_status', {});
      return;
    }
    fields.add('user_status', this.statuses.all(context.viewer));
  }
}
