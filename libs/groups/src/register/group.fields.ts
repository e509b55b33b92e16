import { Injectable } from '@nestjs/common';
import { can, type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { Slices } from '#kernel';
import type { Directory, Group } from '#organization';
import { wireGroup } from '../wire-group.js';

interface Texts {
  readonly standings: number;
  /** Group records are replaced, never changed, so a text stays valid for its record while no user changes role or is (de)activated. */
  readonly byGroup: WeakMap<Group, string>;
}

const texts = new WeakMap<Directory, Texts>();

/** All groups by id, including system groups (register.md §2, `realm_user_groups`). */
@Injectable()
export class GroupFields extends RegisterFields {
  override readonly keys = ['realm_user_groups'];

  override async warm(context: RegisterContext): Promise<void> {
    if (!wants(context, 'realm_user_groups')) return;
    const { directory } = context;
    const slices = new Slices();
    for (const group of directory.groups()) {
      textOf(directory, group);
      if (slices.isOver) await slices.next();
    }
  }

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'realm_user_groups')) return;
    const { directory } = context;
    const showsDeactivated = can(context, 'include_deactivated_groups');
    const shown = [...directory.groups()]
      .filter(({ isDeactivated }) => showsDeactivated || !isDeactivated)
      .sort((a, b) => a.groupId - b.groupId);
    fields.addList(
      'realm_user_groups',
      shown.map((group) => textOf(directory, group)),
    );
  }
}

function textOf(directory: Directory, group: Group): string {
  const standings = directory.userStandings;
  let known = texts.get(directory);
  if (known?.standings !== standings) texts.set(directory, (known = { standings, byGroup: new WeakMap() }));
  let text = known.byGroup.get(group);
  if (text === undefined) {
    text = JSON.stringify(wireGroup(directory, group));
    known.byGroup.set(group, text);
  }
  return text;
}
