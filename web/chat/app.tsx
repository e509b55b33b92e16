import { type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ApiFailure, askSession, reasonOf, type Session } from '../shared/api.js';
import { Loading, Refusal, widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import { watchLeaving } from './left.js';
import { Chat } from './model/chat.js';
import { forgetKept, type Kept, loadKept, loadKeptHere } from './model/kept-state.js';
import { ChatContext } from './model/hooks.js';
import type { Message } from './model/wire.js';
import { notify, standForNotifier } from './notifier.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';

type Phase =
  | { readonly kind: 'asking' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'signed-out' }
  | {
      readonly kind: 'signed-in';
      readonly userId: number;
      readonly hasEnded: boolean;
      /** What the last visit has left. */
      readonly kept: Kept | undefined;
    };

/** Pause between attempts to learn who is signed in. */
const TRY_AGAIN_MS = 5_000;
/** After it, what this session has kept is shown without an answer. */
const PATIENCE_MS = 4_000;

/** What this session has kept, for times in which the server cannot say whose it is. */
async function keptPhase(): Promise<Phase | undefined> {
  const kept = await loadKeptHere();
  const { user_id: userId } = kept?.state ?? {};
  return userId === undefined ? undefined : signedIn(userId, kept);
}

/** Who is signed in, by the server; without it, what this session has kept. */
async function firstPhase(): Promise<Phase> {
  // Once the server has said whose session it is: what somebody else has left is not shown.
  const asked = askSession().then(async ({ signed_in, user_id }): Promise<Phase> => {
    if (signed_in && user_id !== null) return signedIn(user_id, await loadKept(user_id));
    void forgetKept();
    return { kind: 'signed-out' };
  });
  const answered = asked.catch(async (error: unknown) => {
    const isOutOfReach = error instanceof ApiFailure && (error.kind === 'offline' || error.kind === 'busy');
    const kept = isOutOfReach ? await keptPhase() : undefined;
    if (kept === undefined) throw error;
    return kept;
  });
  const patience = new Promise<void>((passed) => setTimeout(passed, PATIENCE_MS));
  return Promise.race([answered, patience.then(async () => (await keptPhase()) ?? answered)]);
}

/** Whoever signs in again as the same person finds the page as it was. */
export function App(): ReactNode {
  const [phase, setPhase] = useState<Phase>({ kind: 'asking' });
  const [attempt, setAttempt] = useState(0);
  const [generation, setGeneration] = useState(0);
  useEffect(() => {
    firstPhase().then(setPhase, (error: unknown) => setPhase({ kind: 'failed', reason: reasonOf(error) }));
  }, [attempt]);
  const isFailed = phase.kind === 'failed';
  // It goes on by itself.
  useEffect(() => {
    if (!isFailed) return undefined;
    const again = (): void => setAttempt((times) => times + 1);
    const timer = setInterval(again, TRY_AGAIN_MS);
    addEventListener('online', again);
    return () => {
      clearInterval(timer);
      removeEventListener('online', again);
    };
  }, [isFailed]);
  const onSignedIn = ({ user_id }: Session): void => {
    if (user_id === null) return;
    // Nothing of the model of somebody else goes on.
    if (phase.kind === 'signed-in' && phase.userId !== user_id) {
      location.reload();
      return;
    }
    setGeneration(generation + 1);
    setPhase(signedIn(user_id));
  };
  const onSignedOut = useCallback(() => {
    setPhase((now) => (now.kind === 'signed-in' ? { ...now, hasEnded: true } : now));
  }, []);
  const onLive = useCallback(() => {
    setPhase((now) => (now.kind === 'signed-in' && now.hasEnded ? { ...now, hasEnded: false } : now));
  }, []);
  if (phase.kind === 'asking') return <Loading />;
  if (phase.kind === 'failed')
    return (
      <div className={widgetClasses['note']}>
        <p role="alert">{words.failedToStart(phase.reason)}</p>
        <p style={{ marginBlockStart: 12 }}>
          <button type="button" className={widgetClasses['button']} onClick={() => setAttempt(attempt + 1)}>
            {words.retry}
          </button>
        </p>
      </div>
    );
  if (phase.kind === 'signed-out') return <SignIn isAgain={false} onSignedIn={onSignedIn} />;
  return (
    <>
      <SignedIn
        key={phase.userId}
        userId={phase.userId}
        kept={phase.kept}
        generation={generation}
        onSignedOut={onSignedOut}
        onLive={onLive}
      />
      {phase.hasEnded && <SignIn isAgain onSignedIn={onSignedIn} />}
    </>
  );
}

const signedIn = (userId: number, kept?: Kept): Phase => ({ kind: 'signed-in', userId, hasEnded: false, kept });

/** @param props.generation another after each sign-in, which starts the model again and leaves the page as it is */
function SignedIn(props: {
  readonly userId: number;
  readonly kept: Kept | undefined;
  readonly generation: number;
  readonly onSignedOut: () => void;
  readonly onLive: () => void;
}): ReactNode {
  const { userId, kept, generation, onSignedOut, onLive } = props;
  const [refusal, setRefusal] = useState<string>();
  const [chat] = useState(() => {
    const arrived = (message: Message): void => {
      const state = made.state();
      if (state !== undefined) notify(message, state);
    };
    const made: Chat = new Chat(userId, { signedOut: onSignedOut, live: onLive, arrived, refused: setRefusal }, kept);
    return made;
  });
  useEffect(standForNotifier, []);
  useEffect(() => watchLeaving(userId), [userId]);
  const started = useRef(-1);
  useEffect(() => {
    if (started.current === generation) return;
    if (started.current === -1) chat.start();
    else chat.resume();
    started.current = generation;
  }, [chat, generation]);
  const state = useSyncExternalStore(chat.subscribe, chat.state);
  return (
    <ChatContext value={chat}>
      {state === undefined ? <Loading /> : <Shell />}
      {refusal !== undefined && <Refusal reason={refusal} close={() => setRefusal(undefined)} />}
    </ChatContext>
  );
}
