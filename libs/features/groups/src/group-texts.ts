import type { ReadonlyIdSet, Slices } from '#kernel';
import type { Directory } from '#people';
import type { Group } from './model/group.js';
import { GROUP_PERMISSION_NAMES } from './model/group-permissions.js';
import { wireGroup } from './wire-group.js';

/**
 * Length of all texts that are kept for the next answers. Two thousand groups of ten thousand people are a hundred megabytes, of
 * which the others are made while they are written.
 */
const KEPT_LENGTH_MAX = 8_000_000;
/** Characters of a user's ID and a comma, and of a group without any. */
const [ID_LENGTH, GROUP_LENGTH] = [6, 500];

interface Kept {
  readonly group: Group;
  /** What the text depends on besides the record: the deactivated users; for a system group, who has which role. */
  readonly standing: ReadonlyIdSet | number;
  readonly text: string;
}

/** Groups as JSON text. Records are replaced, never mutated, so a text stays valid for its record. */
export class GroupTexts {
  readonly #kept = new Map<number, Kept>();
  #keptLength = 0;

  constructor(private readonly directory: Directory) {}

  /** Makes in slices the texts that are kept. */
  async warm(slices: Slices): Promise<void> {
    for (const group of this.directory.groups()) {
      this.#text(group);
      if (slices.isOver) await slices.next();
    }
  }

  /** Text of each group as it is now; for one that is not kept, a function that makes the text. */
  of(groups: readonly Group[]): (string | (() => string))[] {
    const { directory } = this;
    const { inactiveUserIds } = directory;
    return groups.map(
      (group) => this.#text(group) ?? (() => JSON.stringify(wireGroup(directory, group, inactiveUserIds))),
    );
  }

  /** The text, if it is kept, or is to be; system groups are few. */
  #text(group: Group): string | undefined {
    const { directory } = this;
    const standing = group.isSystemGroup ? directory.userStandings : directory.inactiveUserIds;
    const known = this.#kept.get(group.groupId);
    if (known?.group === group && known.standing === standing) return known.text;
    this.#kept.delete(group.groupId);
    this.#keptLength -= known?.text.length ?? 0;
    if (!group.isSystemGroup && this.#keptLength + lengthOf(group) > KEPT_LENGTH_MAX) return undefined;
    const text = JSON.stringify(wireGroup(directory, group));
    this.#kept.set(group.groupId, { group, standing, text });
    this.#keptLength += text.length;
    return text;
  }
}

/** About as long as the text. */
function lengthOf({ directMembers, directSubgroups, name, description, permissions }: Group): number {
  const settings = GROUP_PERMISSION_NAMES.map((permission) => permissions[permission]);
  let ids = directMembers.size + directSubgroups.length;
  for (const setting of settings)
    if (typeof setting !== 'number') ids += setting.directMembers.length + setting.directSubgroups.length;
  return GROUP_LENGTH + name.length + description.length + ids * ID_LENGTH;
}

const texts = new WeakMap<Directory, GroupTexts>();

/** All answers share them. */
export function groupTextsOf(directory: Directory): GroupTexts {
  let known = texts.get(directory);
  if (known === undefined) texts.set(directory, (known = new GroupTexts(directory)));
  return known;
}
