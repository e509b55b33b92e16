import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ArchiveProblem, type ArchiveReader } from '#archive';

const Text = Type.Optional(Type.String());
const Flag = Type.Optional(Type.Boolean());
const Key = Type.String({ minLength: 1, maxLength: 100 });
/** Seconds and a fraction, which together identify a message in its channel. */
const Moment = Type.String({ pattern: '^\\d{1,11}(?:\\.\\d{1,9})?$' });

/** People of `users.json`. Fields that are not used here may be anything. */
const SlackUsers = Type.Array(
  Type.Object({
    id: Key,
    name: Text,
    real_name: Text,
    deleted: Flag,
    is_bot: Flag,
    is_owner: Flag,
    is_primary_owner: Flag,
    is_admin: Flag,
    is_restricted: Flag,
    is_ultra_restricted: Flag,
    tz: Text,
    profile: Type.Optional(Type.Object({ real_name: Text, display_name: Text, email: Text })),
  }),
);

/** Channels of `channels.json`, `groups.json`, `mpims.json` and `dms.json`. */
const SlackChannels = Type.Array(
  Type.Object({
    id: Key,
    name: Type.Optional(Type.String({ maxLength: 1_000 })),
    created: Type.Optional(Type.Integer({ minimum: 0, maximum: 253_402_300_799 })),
    creator: Text,
    is_archived: Flag,
    members: Type.Optional(Type.Array(Key)),
    topic: Type.Optional(Type.Object({ value: Text })),
    purpose: Type.Optional(Type.Object({ value: Text })),
  }),
);

const SlackMessages = Type.Array(
  Type.Object({
    type: Text,
    subtype: Text,
    ts: Moment,
    user: Text,
    bot_id: Text,
    username: Text,
    text: Text,
    thread_ts: Type.Optional(Moment),
    reply_count: Type.Optional(Type.Integer()),
    edited: Type.Optional(Type.Object({ user: Text, ts: Type.Optional(Moment) })),
    reactions: Type.Optional(
      Type.Array(Type.Object({ name: Type.String({ maxLength: 200 }), users: Type.Array(Key) })),
    ),
    files: Type.Optional(
      Type.Array(Type.Object({ id: Text, name: Text, title: Text, url_private: Text, permalink: Text, mode: Text })),
    ),
    attachments: Type.Optional(
      Type.Array(Type.Object({ fallback: Text, title: Text, title_link: Text, text: Text, pretext: Text })),
    ),
  }),
);

export type SlackUser = Static<typeof SlackUsers>[number];
export type SlackChannel = Static<typeof SlackChannels>[number];
export type SlackMessage = Static<typeof SlackMessages>[number];

const checks = { users: Compile(SlackUsers), channels: Compile(SlackChannels), messages: Compile(SlackMessages) };

export const readUsers = (archive: ArchiveReader, name: string): Promise<SlackUser[]> =>
  read<typeof SlackUsers>(archive, name, checks.users);
/** Empty when the archive does not have the entry. */
export const readChannels = (archive: ArchiveReader, name: string): Promise<SlackChannel[]> =>
  archive.has(name) ? read<typeof SlackChannels>(archive, name, checks.channels) : Promise.resolve([]);
export const readMessages = (archive: ArchiveReader, name: string): Promise<SlackMessage[]> =>
  read<typeof SlackMessages>(archive, name, checks.messages);

interface Check {
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly [isValid: boolean, errors: { instancePath: string; message: string }[]];
}

async function read<Schema extends TSchema>(
  archive: ArchiveReader,
  name: string,
  check: Check,
): Promise<Static<Schema>> {
  const document = withoutNulls(await archive.json(name));
  if (check.Check(document)) return document as Static<Schema>;
  const [, [first]] = check.Errors(document);
  throw new ArchiveProblem(name, `${first?.instancePath ?? ''} ${first?.message ?? 'it is malformed'}.`);
}

/** Slack writes null for what is absent. A value without nulls, which most are, is the result itself. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let changed: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const kept = withoutNulls(value[index]);
      if (kept !== value[index]) (changed ??= value.slice())[index] = kept;
    }
    return changed ?? value;
  }
  let changed: Record<string, unknown> | undefined;
  for (const [name, item] of Object.entries(value)) {
    const kept = withoutNulls(item);
    if (kept !== null && kept === item) continue;
    changed ??= { ...value };
    if (kept === null) delete changed[name];
    else changed[name] = kept;
  }
  return changed ?? value;
}
