import { streams } from '#event-store';
import { fileIdOf, metadataOf, pathIdOf, safeFileName } from '#files';
import { Refusal } from '#kernel';
import { plainHtml } from '#markdown';
import { newChannel, UserColors } from '#channels/model';
import { ROLE, type User } from '#users/model';
import { decideEmoji } from '#pictures';
import { decideCreateOrganization, isEmailAddress, isTimezone, OWNER_ID } from '#users';
import { type ArchiveFiles, fileNameOf } from './archive-files.js';
import type { EventSequence } from './event-sequence.js';
import { Names, visible } from './names.js';
import { Notes } from './notes.js';
import type { KeptFile, TranslatedChannel, TranslatedMessage, TranslatedUser } from './translated.js';
import { TranslatedMessages } from './translated-messages.js';

/** Addresses of accounts without one; nobody has this domain. */
const NO_ADDRESS = 'imported.invalid';
/** Subscribers in one event: it stays far below the largest append. */
const SUBSCRIBERS_MAX = 1_000;

/** Makes an organization from another system's people, channels and messages. */
export class Translation {
  readonly notes = new Notes();
  readonly #names = new Names();
  readonly #users = new Map<string, number>();
  readonly #channels = new Map<string, number>();
  readonly #archived: number[] = [];
  readonly #colors = new Map<number, UserColors>();
  readonly #messages: TranslatedMessages;
  #files = 0;
  #at = 0;

  /** @param isDraft only checks: HTML, which takes most of the time, is not made */
  constructor(
    readonly sequence: EventSequence,
    private readonly files: ArchiveFiles,
    isDraft: boolean,
  ) {
    this.#messages = new TranslatedMessages(sequence, this.notes, isDraft);
  }

  get messages(): number {
    return this.#messages.count;
  }

  /** The first events. @param owner who becomes the owner of the organization */
  begin(name: string, owner: TranslatedUser, at: number): void {
    this.#at = at;
    const events = decideCreateOrganization({
      type: 'create-organization',
      uuid: this.sequence.idOf('organization'),
      name: visible(name, 40) || 'Imported',
      ownerEmail: this.#address(owner),
      ownerName: this.#names.person(owner.names, 'Owner'),
      ownerPasswordHash: '',
      // No key has this hash.
      ownerApiKeyHash: '0'.repeat(64),
      botDomain: NO_ADDRESS,
      at,
    });
    this.#names.channel('general', 'general');
    this.#users.set(owner.key, OWNER_ID);
    for (const event of events) {
      if (event.type !== 'user.created.v1') this.sequence.organization(event, at);
      else {
        const { passwordHash: _, ...data } = event.data;
        const timezone = data.userId === OWNER_ID && isTimezone(owner.timezone) ? owner.timezone : '';
        this.sequence.organization({ type: event.type, data: { ...data, timezone } }, at);
      }
    }
  }

  userId(key: string): number | undefined {
    return this.#users.get(key);
  }

  channelId(key: string): number | undefined {
    return this.#channels.get(key);
  }

  /** Name of a channel by its key. */
  channelName(key: string): string | undefined {
    const channelId = this.#channels.get(key);
    return channelId === undefined ? undefined : this.sequence.directory.channel(channelId)?.name;
  }

  user(key: string): User | undefined {
    const userId = this.#users.get(key);
    return userId === undefined ? undefined : this.sequence.directory.user(userId);
  }

  /** Markdown that mentions the user; undefined when there is none of this key. */
  mention(key: string): string | undefined {
    const user = this.user(key);
    if (user === undefined) return undefined;
    const { fullName, userId } = user;
    const isOnly = this.sequence.directory.usersByName(fullName).length === 1;
    return isOnly ? `@**${fullName}**` : `@**${fullName}|${userId}**`;
  }

  addUser(user: TranslatedUser): number {
    const known = this.#users.get(user.key);
    if (known !== undefined) return known;
    const { directory } = this.sequence;
    const userId = directory.nextUserId;
    this.#users.set(user.key, userId);
    const data = {
      userId,
      email: this.#address(user),
      fullName: this.#names.person(user.names, `User ${userId}`),
      role: user.isBot ? ROLE.member : user.role,
      botType: user.isBot ? 1 : null,
      botOwnerId: user.isBot ? this.#botOwner(user.botOwnerKey) : null,
      timezone: isTimezone(user.timezone) ? user.timezone : '',
      at: this.#at,
    };
    this.sequence.organization({ type: 'user.created.v1', data }, this.#at);
    if (!user.isActive)
      this.sequence.organization(
        { type: 'user.deactivated.v1', data: { userId, by: OWNER_ID, at: this.#at } },
        this.#at,
      );
    return userId;
  }

  /** Gives a user the picture in an entry of the archive. */
  async addAvatar(userId: number, entry: string): Promise<void> {
    const avatar = await this.files.avatar(entry);
    if (avatar === undefined) {
      this.notes.add('profile pictures could not be read');
      return;
    }
    const version = this.sequence.directory.user(userId)?.avatarVersion ?? 0;
    const data = { userId, avatar, version: version + 1, by: userId, at: this.#at };
    this.sequence.organization({ type: 'user.avatar-changed.v1', data }, this.#at);
  }

  /** Adds a custom emoji. @returns its name here; undefined when it cannot be added */
  async addEmoji(wish: string, entry: string): Promise<string | undefined> {
    const name = wish.toLowerCase().replace(/[-_]+$/, '');
    const picture = await this.files.emoji(entry);
    try {
      if (picture === undefined) throw new Refusal('BAD_IMAGE', 'No image');
      const command = { type: 'add-emoji', actorId: OWNER_ID, name, picture, at: this.#at } as const;
      for (const event of decideEmoji(this.sequence.directory, command)) this.sequence.organization(event, this.#at);
      return name;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.notes.add('custom emoji could not be added');
      return undefined;
    }
  }

  addChannel(channel: TranslatedChannel): number {
    const isGeneral = channel.name.toLowerCase() === 'general' && !channel.isPrivate && this.#channels.size === 0;
    const channelId = isGeneral ? 1 : this.sequence.directory.nextChannelId;
    this.#channels.set(channel.key, channelId);
    if (!isGeneral) this.#create(channel, channelId);
    const isThere = (userId: number): boolean => this.sequence.directory.isSubscribed(userId, channelId);
    const userIds = new Set(channel.memberKeys.flatMap((key) => this.#users.get(key) ?? []));
    const subscribers = [...userIds]
      .filter((userId) => !isThere(userId) && this.sequence.directory.user(userId)?.isActive === true)
      .map((userId) => ({ userId, color: this.#colorsOf(userId).pick(channelId) }));
    for (let from = 0; from < subscribers.length; from += SUBSCRIBERS_MAX) {
      const some = subscribers.slice(from, from + SUBSCRIBERS_MAX);
      const data = { channelId, subscribers: some, by: null, at: this.#at };
      this.sequence.organization({ type: 'channel.subscribed.v1', data }, this.#at);
    }
    if (channel.isArchived) this.#archived.push(channelId);
    return channelId;
  }

  /** Keeps a file of the archive for a message of its sender. */
  async addFile(entry: string, senderId: number, atMs: number): Promise<KeptFile> {
    const wish = visible(fileNameOf(entry), 100);
    const name = safeFileName(Buffer.byteLength(wish) > 200 ? wish.slice(-40) : wish);
    const content = await this.files.file(entry);
    const secret = this.sequence.hashOf(`file ${++this.#files}`);
    const token = `${secret.toString('hex', 0, 1)}/${secret.toString('base64url').slice(0, 24)}`;
    const data = { userId: senderId, token, name, ...content, atMs };
    const revision = this.sequence.add(streams.files, { type: 'file.uploaded.v1', data }, Math.floor(atMs / 1000));
    const file = { fileId: fileIdOf(revision), ownerId: senderId, metadata: metadataOf(data) };
    return { pathId: pathIdOf(data), name, file };
  }

  /** Returns the ID of the first of the messages that stand for it; undefined when nothing is left of it. */
  addMessage(message: TranslatedMessage): number | undefined {
    return this.#messages.add(message);
  }

  /** The last events: archives channels, and everything counts as read. */
  end(): void {
    this.#messages.flush();
    for (const channelId of this.#archived) {
      const data = { channelId, isArchived: { from: false, to: true }, by: OWNER_ID, at: this.#at };
      this.sequence.organization({ type: 'channel.changed.v1', data }, this.#at);
    }
    this.#messages.end(this.#at);
  }

  #create(channel: TranslatedChannel, channelId: number): void {
    const creatorId = channel.creatorKey === undefined ? OWNER_ID : (this.#users.get(channel.creatorKey) ?? OWNER_ID);
    const author = this.sequence.directory.user(creatorId);
    const description = visible(channel.description, 1_024);
    const rendered = author && this.#messages.rendered(author, description || 'x').rendered;
    const event = newChannel({
      channelId,
      name: this.#names.channel(channel.name, `channel ${channelId}`),
      description,
      renderedDescription: description === '' ? '' : (rendered ?? plainHtml(description)),
      inviteOnly: channel.isPrivate,
      creatorId,
      at: channel.at,
    });
    this.sequence.organization(event, channel.at);
  }

  /** Guests own no bots. */
  #botOwner(key: string | undefined): number {
    const ownerId = key === undefined ? undefined : this.#users.get(key);
    if (ownerId === undefined) return OWNER_ID;
    return (this.sequence.directory.user(ownerId)?.role ?? ROLE.guest) < ROLE.guest ? ownerId : OWNER_ID;
  }

  #address({ key, email }: TranslatedUser): string {
    const isUsable = isEmailAddress(email) && this.sequence.directory.userByEmail(email) === undefined;
    if (isUsable) return email;
    this.notes.add('accounts have no e-mail address of their own; an owner has to set it');
    const name = key
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '');
    return `${name || 'user'}-${this.#users.size}@${NO_ADDRESS}`;
  }

  #colorsOf(userId: number): UserColors {
    let colors = this.#colors.get(userId);
    if (colors === undefined) this.#colors.set(userId, (colors = new UserColors()));
    return colors;
  }
}
