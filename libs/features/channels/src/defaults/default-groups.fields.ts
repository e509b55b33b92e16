import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { ROLE } from '#users/model';
import { wireDefaultGroups } from './wire-default-group.js';

/** Default channel groups (register.md §2, `default_stream_groups`); guests get none. */
@Injectable()
export class DefaultGroupFields extends RegisterFields {
  override readonly keys = ['default_stream_groups'];

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'default_stream_groups')) return;
    const { directory, viewer } = context;
    fields.add('realm_default_stream_groups', viewer.role >= ROLE.guest ? [] : wireDefaultGroups(directory));
  }
}
