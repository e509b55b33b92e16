import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isFocusFree } from '../chat/focus-main.js';
import { useChatState } from '../chat/model/hooks.js';
import { routeOf } from '../chat/model/narrow.js';
import type { Place } from '../chat/model/place.js';
import { reasonOf } from '../shared/api.js';
import { pastWords as words } from '../shared/en-past.js';
import { dayNameOf, timeOf } from '../shared/time.js';
import { IconButton } from '../shared/widgets.js';
import { askMoments, goTo, indexAt, keptMoments, type Moment } from './moments.js';
import classes from './past.module.css';

/** While the slider is drawn, not each of its places is asked for. */
const REST_MS = 120;
/** Bars of the picture behind the slider. */
const BARS = 48;

interface RailProps {
  readonly place: Place;
  /** Seconds since the epoch; undefined for now. */
  readonly asOf: number | undefined;
  /** Called when its times are asked for. */
  readonly onLoad?: () => void;
}

/**
 * The rail of a conversation: a slider over the times at which it changed, now at its end. The times are asked for when somebody
 * reaches for it.
 */
export default function Rail({ place, asOf, onLoad }: RailProps): ReactNode {
  const state = useChatState();
  const { times, isCut, failure, load } = useTimes(place, asOf, onLoad);
  const [drawn, setDrawn] = useState<number>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setDrawn(undefined), [asOf]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const at = drawn ?? placeIn(times, asOf);
  const end = times?.length ?? 0;
  const max = Math.max(1, end);
  const rail = useRef<HTMLDivElement>(null);
  const leave = useRailFocus(rail);

  const show = (index: number, all: readonly Moment[]): void => {
    const now = asOfNow();
    if (index === placeIn(all, now)) return;
    const time = all[index]?.time;
    if ((time === undefined) !== (now === undefined)) leave();
    goTo(place, state, time, now !== undefined);
  };
  const step = (by: number): void => {
    void load().then((all) => {
      if (all !== undefined) show(Math.min(all.length, Math.max(0, placeIn(all, asOfNow()) + by)), all);
    });
  };
  useStepKeys(step);
  const text = textOf(times?.[at]);
  return (
    <div ref={rail} className={classes['rail']} data-past={asOf !== undefined}>
      <IconButton
        icon="back"
        label={words.changeBack}
        disabled={times !== undefined && at <= 0}
        onClick={() => step(-1)}
      />
      <div className={classes['slider']} onPointerEnter={() => void load()}>
        <Bars moments={times ?? []} />
        <input
          type="range"
          aria-label={words.rail}
          min={0}
          max={max}
          // Before they are there, one step of a key is not the way to the first of them.
          step={times === undefined ? 0.5 : 1}
          value={end === 0 ? max : Math.max(0, at)}
          aria-valuetext={text}
          onFocus={() => void load()}
          onChange={({ target: { valueAsNumber } }) => {
            if (times === undefined) {
              // A key that is pressed before they are there is not lost.
              if (valueAsNumber > 0) step(-1);
              else void load().then((all) => all && show(0, all));
              return;
            }
            if (end === 0) return;
            setDrawn(valueAsNumber);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => show(valueAsNumber, times), REST_MS);
          }}
        />
      </div>
      <IconButton icon="next" label={words.changeForth} disabled={asOf === undefined} onClick={() => step(1)} />
      <span className={classes['at']} role="status" title={isCut ? words.railCut : undefined}>
        {failure === undefined ? text : words.railFailed(failure)}
      </span>
    </div>
  );
}

interface Times {
  /** Undefined until they are asked for. */
  readonly times: readonly Moment[] | undefined;
  readonly isCut: boolean;
  readonly failure: string | undefined;
  /** Undefined where they could not be loaded. */
  readonly load: () => Promise<readonly Moment[] | undefined>;
}

function useTimes(place: Place, asOf: number | undefined, onLoad: RailProps['onLoad']): Times {
  const { meId } = useChatState();
  const [answer, setAnswer] = useState(() => (asOf === undefined ? undefined : keptMoments(place)));
  const [failure, setFailure] = useState<string>();
  const [stop] = useState(() => new AbortController());
  const asked = useRef<Promise<readonly Moment[] | undefined>>(undefined);
  const load: Times['load'] = () => {
    if (answer !== undefined) return Promise.resolve(answer.moments);
    onLoad?.();
    asked.current ??= askMoments(place, meId, stop.signal).then(
      (found) => {
        setAnswer(found);
        setFailure(undefined);
        return found.moments;
      },
      (error: unknown) => {
        asked.current = undefined;
        if (!stop.signal.aborted) setFailure(reasonOf(error));
        return undefined;
      },
    );
    return asked.current;
  };
  useEffect(() => {
    // Who comes by an address sees where they are.
    if (asOf !== undefined) void load();
  }, []);
  useEffect(() => () => stop.abort(), [stop]);
  return { times: answer?.moments, isCut: answer?.is_cut ?? false, failure, load };
}

/** Which control of a rail had the focus as its reader went from now to the past, or back: there, the rail is another one. */
let leftAt: number | undefined;

/**
 * Keeps the focus in the rail: from view to view, and where the control that has it is turned off.
 * @returns to be called before another view shows the rail
 */
function useRailFocus(rail: RefObject<HTMLDivElement | null>): () => void {
  const controls = (): (HTMLInputElement | HTMLButtonElement)[] => [
    ...(rail.current?.querySelectorAll<HTMLInputElement | HTMLButtonElement>('input, button') ?? []),
  ];
  const focus = (control: HTMLInputElement | HTMLButtonElement | undefined): void => {
    if (control?.ariaDisabled === 'true') rail.current?.querySelector('input')?.focus();
    else control?.focus();
  };
  useLayoutEffect(() => {
    if (leftAt !== undefined && isFocusFree()) focus(controls()[leftAt]);
    leftAt = undefined;
  }, []);
  useLayoutEffect(() => focus(controls().find((control) => control === document.activeElement)));
  return () => {
    const index = controls().findIndex((control) => control === document.activeElement);
    leftAt = index === -1 ? undefined : index;
  };
}

/** What the address names, which may not be drawn yet: several steps in a row each go on from the one before. */
function asOfNow(): number | undefined {
  const route = routeOf(location.hash);
  return route.view === 'narrow' ? route.asOf : undefined;
}

/** Index of what is shown: the number of moments for now. */
function placeIn(times: readonly Moment[] | undefined, asOf: number | undefined): number {
  if (times === undefined) return 0;
  return asOf === undefined ? times.length : indexAt(times, asOf);
}

/** `,` and `.` step wherever nothing is typed. What is open in a message has them first. */
function useStepKeys(step: (by: number) => void): void {
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const by = { ',': -1, '.': 1 }[event.key];
      if (by === undefined || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) return;
      event.preventDefault();
      latest.current(by);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.closest('input:not([type=range]), textarea, select, dialog, [contenteditable]') !== null;
}

const textOf = (moment: Moment | undefined): string =>
  moment === undefined ? words.now : `${dayNameOf(moment.time)} ${timeOf(moment.time)}: ${words.changes(moment)}`;

/** How much changed along the slider, whose places are evenly apart. */
function Bars({ moments }: { readonly moments: readonly Moment[] }): ReactNode {
  if (moments.length === 0) return null;
  const bars = Array.from({ length: Math.min(BARS, moments.length) }, () => 0);
  for (const [index, { sent, edited, moved_in: movedIn, moved_out: movedOut }] of moments.entries()) {
    const bar = Math.floor((index * bars.length) / moments.length);
    bars[bar] = (bars[bar] ?? 0) + sent + edited + movedIn + movedOut + 1;
  }
  const most = Math.max(...bars);
  return (
    <svg viewBox={`0 0 ${bars.length} 1`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map((value, index) => (
        <rect key={index} x={index + 0.15} y={1 - value / most} width={0.7} height={value / most} />
      ))}
    </svg>
  );
}
