import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { isSpectator } from '#users/model';
import { PresenceLists } from './list-presences.js';

/** Presence of all users in the register response (register.md §2, `presence`). */
@Injectable()
export class PresenceFields extends RegisterFields {
  override readonly keys = ['presence'];

  constructor(private readonly lists: PresenceLists) {
    super();
  }

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'presence')) return;
    const { viewer, settings, presenceHistoryDays: historyDays } = context;
    if (isSpectator(viewer)) {
      fields.addAll({ presences: {}, server_timestamp: context.nowMs / 1000, presence_last_update_id: -1 });
      return;
    }
    const lastUpdateId = this.lists.lastUpdateId(-1);
    const format = settings.slimPresence ? 'modern' : 'legacy';
    fields
      .addPieces(this.lists.fields(viewer, { format, historyDays, since: -1 }))
      .add('presence_last_update_id', lastUpdateId);
  }
}
