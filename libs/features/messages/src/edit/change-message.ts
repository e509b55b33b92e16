import { Command } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import { streams, type CommandResult } from '#event-store';
import { command } from '#feature';
import { type Concerns, FollowUps } from '#follow-ups';
import { originFrom } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { ContentRenderer } from '../render/content-renderer.js';
import type { ChangeMessage, UnrenderedChange } from './change.commands.js';
import { assertMayReword, changeDecider } from './change.decider.js';
import { acceptEditedContent, type MessageContent } from '../model/message-content.js';
import { MessageCommands, type LoadedMessage } from '../existing/message-commands.js';
import { messageSettings } from '../model/message-settings.js';
import { MoveContextReader, type AskedMove } from '../move/move-context.js';
import type { MessageEvent, MessagesMoved } from '../model/messages.events.js';
import { isChannelPlace } from '../model/place.js';
import type { MoveWindow, PropagateMode } from '../move/move.commands.js';
import { changesOf } from '../move/move.decider.js';
import { isSameTopic, type NoticeWishes } from '../move/move-notices.js';
import { SendContext } from '../send/send-context.js';
import { normalizeTopic } from '../model/topic.js';

const MOVED = 'messages.moved.v1' satisfies MessagesMoved['type'];

type RecordedEvent = CommandResult<MessageEvent>;

/** Results of slow work that a move needs beforehand. */
interface Prepared {
  readonly asked: AskedMove;
  /** Keys of earlier moves that were finished as far as possible. */
  readonly finished: ReadonlySet<string>;
  readonly window: MoveWindow | undefined;
}

/** Changes that a client requests (endpoints.md §4, PATCH /messages/{message_id}). */
export interface ChangeRequest {
  readonly content?: string;
  readonly prevContentSha256?: string;
  readonly topic?: string;
  readonly channelId?: number;
  readonly propagateMode: PropagateMode;
  readonly notices: NoticeWishes;
}

/**
 * Edits a message, moves it and possibly others of its topic, or both. Resolves to the IDs of files that the content
 * referred to before and does not any more.
 */
export class ChangeMessageCommand extends Command<readonly number[]> {
  constructor(
    readonly actor: User,
    readonly messageId: number,
    readonly request: ChangeRequest,
  ) {
    super();
  }
}

/** Edits and moves messages, each under the lock that it needs; what a move entails is carried out after its lock. */
@Injectable()
export class MessageChange {
  constructor(
    private readonly directory: Directory,
    private readonly commands: MessageCommands,
    private readonly renderer: ContentRenderer,
    private readonly sendContext: SendContext,
    private readonly moves: MoveContextReader,
    private readonly followUps: FollowUps,
  ) {}

  async make(command: ChangeMessageCommand): Promise<readonly number[]> {
    const { content, topic, channelId } = command.request;
    const { moveLock } = this.commands;
    const isMove = topic !== undefined || channelId !== undefined;
    // Some clients send the topic with every edit, mostly unchanged. A real move needs the exclusive lock, and starts
    // over then.
    const done =
      content === undefined && isMove ? undefined : await moveLock.shared(() => this.#changeInPlace(command));
    if (done !== undefined) return detachedBy(done);
    let prepared: Prepared | undefined;
    for (;;) {
      const outcome = await moveLock.exclusive(() => this.#move(command, prepared));
      if ('events' in outcome) {
        await this.#carryOut(command.messageId, outcome);
        return detachedBy(outcome);
      }
      prepared = await this.#prepare(outcome.missing);
    }
  }

  /** Moves under the exclusive lock; or returns what must be prepared first, without blocking others. */
  async #move(
    command: ChangeMessageCommand,
    prepared: Prepared | undefined,
  ): Promise<RecordedEvent | { readonly missing: AskedMove }> {
    const message = await this.#open(command);
    const missing = this.#asked(command.actor, message, command.request);
    if (missing === undefined) return this.#record(command, message);
    const pending = await this.followUps.pending(MOVED, sharesTopic(missing));
    if (pending.some((key) => prepared?.finished.has(key) !== true)) return { missing };
    const isPrepared = prepared !== undefined && isSameMove(prepared.asked, missing);
    if (!isPrepared && (await this.moves.hasWindow(missing))) return { missing };
    return this.#record(command, message, isPrepared ? prepared.window : undefined);
  }

  /** Finishes earlier moves from or to these topics; moves of other topics are not waited for. */
  async #prepare(asked: AskedMove): Promise<Prepared> {
    const finished = await this.followUps.finish(MOVED, sharesTopic(asked));
    return { asked, finished, window: await this.moves.window(asked) };
  }

  /** @returns undefined when the request includes a move, and nothing was done */
  async #changeInPlace(command: ChangeMessageCommand): Promise<RecordedEvent | undefined> {
    const message = await this.#open(command);
    const asked = askedMove(message, command.request);
    if (asked !== undefined && changesOf(asked.from, asked.to) !== undefined) return undefined;
    const recorded = await this.#record(command, message);
    await this.#carryOut(message.messageId, recorded);
    return recorded;
  }

  #open({ actor, messageId }: ChangeMessageCommand): Promise<LoadedMessage> {
    return this.commands.load(actor, messageId);
  }

  async #record(
    { actor, request }: ChangeMessageCommand,
    message: LoadedMessage,
    window?: MoveWindow,
  ): Promise<RecordedEvent> {
    return this.commands.run(changeDecider, await this.#command(actor, message, request, window), originFrom(actor));
  }

  #carryOut(messageId: number, { events, appended }: RecordedEvent): Promise<void> {
    return this.followUps.carryOut(streams.message(messageId), appended, events);
  }

  #asked(actor: User, message: LoadedMessage, request: ChangeRequest): AskedMove | undefined {
    const asked = askedMove(message, request);
    const { propagateMode } = request;
    const { at } = this.commands.context(actor, message);
    return asked && { ...asked, actor, messageId: message.messageId, propagateMode, at };
  }

  async #command(
    actor: User,
    message: LoadedMessage,
    request: ChangeRequest,
    window: MoveWindow | undefined,
  ): Promise<ChangeMessage> {
    const { prevContentSha256, channelId, propagateMode, notices } = request;
    const topic = request.topic === undefined ? undefined : normalizeTopic(request.topic);
    const context = this.commands.context(actor, message);
    const asked = this.#asked(actor, message, request);
    const move = asked && (await this.moves.collect(asked, window));
    const change: UnrenderedChange = {
      ...context,
      settings: messageSettings(this.directory),
      propagateMode,
      notices,
      ...(topic === undefined ? undefined : { topic }),
      ...(channelId === undefined ? undefined : { channelId }),
      ...(move === undefined ? undefined : { move }),
      ...(prevContentSha256 === undefined ? undefined : { prevContentSha256 }),
    };
    if (request.content === undefined) return change;
    assertMayReword(change);
    const { place } = message;
    const content = await this.#content(actor, message, request.content);
    if (!isChannelPlace(place)) return { ...change, content };
    const rendered = { ...change, content, wildcards: this.sendContext.wildcards(actor, place.channelId) };
    if (asked === undefined || changesOf(asked.from, asked.to) === undefined) return rendered;
    // Others may have written in the topic meanwhile.
    return { ...rendered, move: await this.moves.collect(asked, window) };
  }

  async #content(actor: User, { place }: LoadedMessage, raw: string): Promise<MessageContent> {
    const { content } = await this.renderer.render(actor, acceptEditedContent(raw), place);
    return content;
  }
}

export const changeMessage = command(ChangeMessageCommand, { change: MessageChange }, (asked, { change }) =>
  change.make(asked),
);

function detachedBy({ events }: RecordedEvent): readonly number[] {
  const edits = events.map((event) => {
    if (event.type === 'message.edited.v1') return event.data;
    return event.type === MOVED ? event.data.edit : undefined;
  });
  return edits.flatMap((edit) => edit?.detached ?? []).map(({ fileId }) => fileId);
}

/** Selects moves from or to one of these topics. */
function sharesTopic({ from, to }: Pick<AskedMove, 'from' | 'to'>): Concerns {
  return (data) => {
    const moved = data as MessagesMoved['data'];
    return [from, to].some((place) => isSameTopic(place, moved.from) || isSameTopic(place, moved.to));
  };
}

function isSameMove(a: AskedMove, b: AskedMove): boolean {
  return changesOf(a.from, b.from) === undefined && changesOf(a.to, b.to) === undefined;
}

/** Origin and destination of the requested move; undefined when the request names no place, and for direct messages. */
function askedMove(
  { place, channel }: LoadedMessage,
  { topic, channelId }: ChangeRequest,
): Pick<AskedMove, 'channel' | 'from' | 'to'> | undefined {
  if (topic === undefined && channelId === undefined) return undefined;
  if (channel === undefined || !isChannelPlace(place)) return undefined;
  const to = {
    channelId: channelId ?? place.channelId,
    topic: topic === undefined ? place.topic : normalizeTopic(topic),
  };
  return { channel, from: place, to };
}
