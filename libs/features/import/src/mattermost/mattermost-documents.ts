import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ArchiveProblem, type ArchiveReader } from '#archive';

/** Mattermost writes null for what is absent. */
const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
const Text = Type.String();
const Flag = Type.Boolean();
/** A name in an address: of a team, a channel, a user. */
const Name = Type.String({ minLength: 1, maxLength: 200 });
/** Milliseconds since the epoch. */
const Moment = Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 });

const Reactions = Type.Array(
  Type.Object({ user: Name, emoji_name: Type.String({ maxLength: 200 }), create_at: maybe(Moment) }),
);
const Said = {
  user: Name,
  type: maybe(Text),
  message: maybe(Text),
  create_at: Moment,
  edit_at: maybe(Moment),
  delete_at: maybe(Moment),
  flagged_by: maybe(Type.Array(Name)),
  reactions: maybe(Reactions),
  attachments: maybe(Type.Array(Type.Object({ path: Type.String({ minLength: 1, maxLength: 1_024 }) }))),
  /** Extensions write what they like into it. */
  props: maybe(Type.Object({ attachments: Type.Optional(Type.Unknown()) })),
  is_pinned: maybe(Flag),
};
const Root = { ...Said, replies: maybe(Type.Array(Type.Object(Said))) };

const Memberships = Type.Array(
  Type.Object({
    name: Name,
    roles: maybe(Text),
    channels: maybe(Type.Array(Type.Object({ name: Name, roles: maybe(Text), favorite: maybe(Flag) }))),
  }),
);

/** Kinds of lines that are read, by their name (Mattermost's documentation, "Bulk loading data", "Data format"). */
const KINDS = {
  team: Type.Object({ name: Name, display_name: maybe(Text), delete_at: maybe(Moment) }),
  channel: Type.Object({
    team: Name,
    name: Name,
    display_name: maybe(Text),
    type: Type.Union([Type.Literal('O'), Type.Literal('P')]),
    header: maybe(Text),
    purpose: maybe(Text),
    deleted_at: maybe(Moment),
    delete_at: maybe(Moment),
  }),
  user: Type.Object({
    username: Name,
    email: maybe(Text),
    nickname: maybe(Text),
    first_name: maybe(Text),
    last_name: maybe(Text),
    roles: maybe(Text),
    profile_image: maybe(Text),
    delete_at: maybe(Moment),
    timezone: maybe(Type.Record(Type.String(), Type.Unknown())),
    teams: maybe(Memberships),
  }),
  bot: Type.Object({
    username: Name,
    owner: maybe(Text),
    display_name: maybe(Text),
    profile_image: maybe(Text),
    delete_at: maybe(Moment),
  }),
  emoji: Type.Object({ name: Name, image: maybe(Text) }),
  post: Type.Object({ team: Name, channel: Name, ...Root }),
  direct_channel: Type.Object({ header: maybe(Text), favorited_by: maybe(Type.Array(Name)) }),
  direct_post: Type.Object({ channel_members: Type.Array(Name, { minItems: 1, maxItems: 100 }), ...Root }),
} as const;

type Kinds = typeof KINDS;
export type MattermostKind = keyof Kinds;
export type MattermostTeam = Static<Kinds['team']>;
export type MattermostChannel = Static<Kinds['channel']>;
export type MattermostUser = Static<Kinds['user']>;
export type MattermostBot = Static<Kinds['bot']>;
export type MattermostEmoji = Static<Kinds['emoji']>;
export type MattermostPost = Static<Kinds['post']>;
export type MattermostDirectPost = Static<Kinds['direct_post']>;

/** A post or a reply, without its replies. */
export type MattermostMessage = Omit<MattermostPost, 'team' | 'channel' | 'replies'>;

/** A line of a kind that is read. */
export type MattermostLine = {
  readonly [Kind in MattermostKind]: { readonly type: Kind; readonly value: Static<Kinds[Kind]> };
}[MattermostKind];

/** Kinds whose content has no place here; the report names them. */
export const LEFT_OUT_KINDS: ReadonlySet<string> = new Set(['scheme', 'role']);

const line = Compile(Type.Object({ type: Type.String({ maxLength: 200 }) }));
const version = Compile(Type.Object({ type: Type.Literal('version'), version: Type.Integer() }));
const checks = new Map(
  Object.entries(KINDS).map(([kind, schema]) => [kind, Compile(Type.Object({ [kind]: schema }))] as const),
);

/**
 * The lines of an export in their order.
 * @param onOther called for each line of another kind
 * @throws ArchiveProblem that names the line
 */
export async function* readMattermost(
  archive: ArchiveReader,
  entry: string,
  onOther: (kind: string) => void,
): AsyncGenerator<MattermostLine, void, void> {
  let isFirst = true;
  for await (const { number, value } of archive.lines(entry)) {
    if (isFirst) {
      if (!version.Check(value) || value.version !== 1)
        throw new ArchiveProblem(
          entry,
          `line ${number}: it is not the version of a bulk export; this server reads version 1.`,
        );
      isFirst = false;
      continue;
    }
    if (!line.Check(value)) throw new ArchiveProblem(entry, `line ${number}: it has no type.`);
    const { type } = value;
    const check = checks.get(type);
    if (check === undefined) {
      onOther(type);
      continue;
    }
    if (!check.Check(value)) {
      const [, [first]] = check.Errors(value);
      throw new ArchiveProblem(
        entry,
        `line ${number}: ${first?.instancePath ?? ''} ${first?.message ?? 'is malformed'}.`,
      );
    }
    yield { type, value: (value as Record<string, unknown>)[type] } as MattermostLine;
  }
  if (isFirst) throw new ArchiveProblem(entry, 'it is empty.');
}
