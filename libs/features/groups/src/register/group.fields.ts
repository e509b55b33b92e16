import { Injectable } from '@nestjs/common';
import { can, type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { Slices } from '#kernel';
import { groupTextsOf } from '../group-texts.js';

/** All groups by id, including system groups (register.md §2, `realm_user_groups`). */
@Injectable()
export class GroupFields extends RegisterFields {
  override readonly keys = ['realm_user_groups'];

  override async warm(context: RegisterContext): Promise<void> {
    if (wants(context, 'realm_user_groups')) await groupTextsOf(context.directory).warm(new Slices());
  }

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'realm_user_groups')) return;
    const { directory } = context;
    const showsDeactivated = can(context, 'include_deactivated_groups');
    const shown = [...directory.groups()]
      .filter(({ isDeactivated }) => showsDeactivated || !isDeactivated)
      .sort((a, b) => a.groupId - b.groupId);
    fields.addLateList('realm_user_groups', groupTextsOf(directory).of(shown));
  }
}
