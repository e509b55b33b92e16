import { channelConversation, type EditEntry, type MessageDocument, topicKeyOf } from '#messages';
import type { Directory } from '#people';
import type { User } from '#users/model';
import { type KnownEdit, type KnownHistory, knownHistory, type MessageVersion } from '#reading';

/** A message as it was at a time, in the shape of the read model. Reactions carry no times, so it has none. */
export interface MessageThen {
  readonly doc: MessageDocument;
  /** The wording of then is not shown to members: this is the one of today. */
  readonly isReworded: boolean;
}

type Row = { readonly id: number; readonly doc: MessageDocument };
type Standing = Pick<MessageDocument, 'conversation' | 'topicKey' | 'topic' | 'content'> & {
  readonly rendered?: string | undefined;
};

/**
 * Takes back what the viewer may know to have changed since. Undefined for a message that was not sent yet, and for one of which the
 * viewer may not know how it was (`knownHistory`). Access of today has been checked before.
 * @param time seconds since the epoch
 */
export function messageAt(
  directory: Directory,
  viewer: User,
  { id, doc }: Row,
  versions: readonly MessageVersion[],
  time: number,
): MessageThen | undefined {
  if (doc.at > time) return undefined;
  const known = knownHistory(directory, viewer, id, doc, versions);
  if (known.at > time) return undefined;
  const isLater = ({ at }: EditEntry): boolean => at > time;
  let then = standingOf(doc);
  for (const edit of known.edits) if (isLater(edit)) then = before(edit, then);
  const { edits = [] } = doc;
  const left = edits.filter((edit) => !isLater(edit));
  const showsWordings = directory.settings.message_edit_history_visibility_policy === 'all';
  return {
    doc: { ...withoutTimeless(doc), ...submessagesOf(doc, time), ...then, ...marksOf(doc, left, time) },
    isReworded: !showsWordings && edits.some((edit) => edit.edited === true && isLater(edit)),
  };
}

/** Where a message stood, before each change that the viewer may know of and at last, newest first. */
export function standingsOf(
  directory: Directory,
  viewer: User,
  { id, doc }: Row,
): { readonly known: KnownHistory; readonly steps: readonly Step[] } {
  // Only times and places matter here, so the wordings need not be read.
  const versions = (doc.edits ?? []).map(({ position }) => ({ position, content: '' }));
  const known = knownHistory(directory, viewer, id, doc, versions);
  const steps: Step[] = [];
  let after = standingOf(doc);
  for (const edit of known.edits) {
    const earlier = before(edit, after);
    steps.push({ edit, before: earlier, after });
    after = earlier;
  }
  return { known, steps };
}

export interface Step {
  readonly edit: KnownEdit;
  readonly before: Pick<MessageDocument, 'conversation' | 'topicKey' | 'topic'>;
  readonly after: Pick<MessageDocument, 'conversation' | 'topicKey' | 'topic'>;
}

function standingOf({ conversation, topicKey, topic, content, rendered }: MessageDocument): Standing {
  return { conversation, topicKey, topic, content, rendered };
}

function before(edit: KnownEdit, after: Standing): Standing {
  const { prevContent, prevRendered, prevTopic, prevChannelId } = edit;
  return {
    ...after,
    ...(prevTopic === undefined ? {} : { topic: prevTopic, topicKey: topicKeyOf(prevTopic) }),
    ...(prevChannelId === undefined ? {} : { conversation: channelConversation(prevChannelId) }),
    ...(prevContent === undefined ? {} : { content: prevContent, rendered: prevRendered }),
  };
}

function withoutTimeless(doc: MessageDocument): MessageDocument {
  const { reactions: _, submessages: __, lastEditAt: ___, lastMovedAt: ____, edits: _____, ...others } = doc;
  return others;
}

/** Votes, options and tasks until then. In documents of former versions they carry no times, and are left out. */
function submessagesOf({ submessages }: MessageDocument, time: number): Partial<MessageDocument> {
  if (submessages === undefined) return {};
  return { submessages: submessages.filter(({ at }) => at !== undefined && at <= time) };
}

function marksOf(doc: MessageDocument, edits: EditEntry[], time: number): Partial<MessageDocument> {
  const lastEditAt = edits.find(({ edited }) => edited === true)?.at;
  const { lastMovedAt } = doc;
  return {
    ...(edits.length === 0 ? {} : { edits }),
    ...(lastEditAt === undefined ? {} : { lastEditAt }),
    ...(lastMovedAt === undefined || lastMovedAt > time ? {} : { lastMovedAt }),
  };
}
