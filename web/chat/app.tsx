import { type ReactNode, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Registered } from '#client';
import { askSession, reasonOf, type Session } from '../shared/api.js';
import { Loading, Refusal, widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import { watchLeaving } from './left.js';
import { Chat } from './model/chat.js';
import { forgetKept, loadKept } from './model/kept-state.js';
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
      readonly kept: Registered | undefined;
    };

/** Pause between attempts to learn who is signed in. */
const TRY_AGAIN_MS = 5_000;

/** Whoever signs in again as the same person finds the page as it was. */
export function App(): ReactNode {
  const [phase, setPhase] = useState<Phase>({ kind: 'asking' });
  const [attempt, setAttempt] = useState(0);
  const [generation, setGeneration] = useState(0);
  useEffect(() => {
    // Only once the server has said whose session it is: what somebody else has left is not shown.
    const asked = askSession().then(async ({ signed_in, user_id }): Promise<Phase> => {
      if (!signed_in || user_id === null) {
        void forgetKept();
        return { kind: 'signed-out' };
      }
      return signedIn(user_id, await loadKept(user_id));
    });
    asked.then(setPhase, (error: unknown) => setPhase({ kind: 'failed', reason: reasonOf(error) }));
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
    setGeneration(generation + 1);
    setPhase(signedIn(user_id));
  };
  const onSignedOut = useCallback(() => {
    setPhase((now) => (now.kind === 'signed-in' ? { ...now, hasEnded: true } : now));
  }, []);
  const onLive = useCallback(() => {
    setPhase((now) => (now.kind === 'signed-in' ? { ...now, hasEnded: false } : now));
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

const signedIn = (userId: number, kept?: Registered): Phase => ({ kind: 'signed-in', userId, hasEnded: false, kept });

/** @param props.generation another after each sign-in, which starts the model again and leaves the page as it is */
function SignedIn(props: {
  readonly userId: number;
  readonly kept: Registered | undefined;
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
