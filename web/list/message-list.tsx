import { Component, createRef, type KeyboardEvent, type ReactNode } from 'react';
import { ScrollAnchor } from './anchor.js';
import classes from './message-list.module.css';
import { SeenRows } from './seen.js';
import { indexAfterOrder, indexOfOrder, nextSlice, ROWS_MAX, type Slice, STEP_ROWS } from './slice.js';

/** Rows of the first frame: they fill a usual window. */
const FIRST_ROWS = 40;
/** Rows before either end of what is loaded at which more is asked for. */
const ASK_ROWS = 40;
/** Windows' heights that should lie above and below the visible part. */
const MARGIN_WINDOWS = 1.5;
const MARGIN_LEAST_PX = 800;

export interface ListRow {
  /** Identity: stays the same when a message that was sent here gets its ID. */
  readonly key: string;
  /** Place among the rows, ascending. */
  readonly order: number;
}

/** Where a list opens: at its end, or with the top of a row at a part of the height (or at pixels) from the top edge. */
export type Opening =
  { readonly at: 'end' } | { readonly at: 'row'; readonly order: number; readonly part?: number; readonly px?: number };

export interface MessageListProps<Row extends ListRow> {
  readonly rows: readonly Row[];
  readonly render: (row: Row) => ReactNode;
  /** Where it opens. Read once: another conversation is another element (`key`). */
  readonly opening: Opening;
  readonly label: string;
  /** Whether the rows reach the newest message: then a reader at the end follows what is appended. */
  readonly isNewest: boolean;
  /** What stands before the first row and behind the last: that more is being fetched, or where the history begins. */
  readonly head?: ReactNode;
  readonly tail?: ReactNode;
  /** Called while the reader is near the first loaded row, or near the last, also repeatedly. */
  readonly onNearStart: () => void;
  readonly onNearEnd: () => void;
  /** Orders of rows that count as read now, also repeatedly. */
  readonly onSeen?: (orders: readonly number[]) => void;
  /** After each scroll: whether the end is in view, and where the reader is. */
  readonly onPlace?: (place: { readonly isAtEnd: boolean; readonly order: number; readonly px: number }) => void;
  /** A key that the focused row has not handled. */
  readonly onRowKey?: (event: KeyboardEvent, order: number) => void;
}

interface State {
  /** Orders of the first and the last row in the document. */
  readonly first: number;
  readonly last: number;
  /** Row that takes the focus by Tab. */
  readonly active: number | undefined;
}

/**
 * A feed of messages with a bounded document: at most `ROWS_MAX` of the loaded rows are in it, more come a few a frame before
 * the reader gets there, and what is read stays where it is (`ScrollAnchor`).
 */
export class MessageList<Row extends ListRow> extends Component<MessageListProps<Row>, State> {
  readonly #scroller = createRef<HTMLDivElement>();
  readonly #content = createRef<HTMLDivElement>();
  #anchor!: ScrollAnchor;
  #seen!: SeenRows;
  #sizes!: ResizeObserver;
  #frame: number | undefined;
  #hadFocus = false;

  constructor(props: MessageListProps<Row>) {
    super(props);
    const { rows, opening } = props;
    const middle = opening.at === 'end' ? rows.length : indexOfOrder(rows, opening.order);
    const to = Math.min(rows.length, middle + (opening.at === 'end' ? 0 : FIRST_ROWS - STEP_ROWS));
    const from = Math.max(0, Math.min(middle - STEP_ROWS, to - FIRST_ROWS));
    this.state = { first: rows[from]?.order ?? 0, last: rows[to - 1]?.order ?? -1, active: undefined };
  }

  override componentDidMount(): void {
    const [scroller, content] = [this.#scroller.current, this.#content.current];
    if (scroller === null || content === null) return;
    this.#anchor = new ScrollAnchor(scroller, content);
    this.#anchor.mayFollow = this.props.isNewest;
    this.#seen = new SeenRows(scroller, content, (rows) => this.props.onSeen?.(rows.map(orderOf)));
    this.#sizes = new ResizeObserver(() => {
      tellScrollbar(scroller);
      this.#anchor.followReader();
      this.#anchor.restore();
      this.#soon();
    });
    this.#sizes.observe(scroller);
    this.#sizes.observe(content);
    tellScrollbar(scroller);
    this.#open(scroller);
    document.addEventListener('visibilitychange', this.#look);
    window.addEventListener('focus', this.#look);
    this.#soon();
  }

  override getSnapshotBeforeUpdate(): null {
    this.#anchor.followReader();
    this.#hadFocus = this.#content.current?.contains(document.activeElement) ?? false;
    return null;
  }

  override componentDidUpdate(before: MessageListProps<Row>): void {
    const { rows, isNewest } = this.props;
    const last = rows.at(-1);
    this.#anchor.mayFollow = isNewest;
    // Whoever is at the end sees what is appended; others are told of it.
    if (before.rows !== rows && this.#anchor.isFollowing && last !== undefined && last.order > this.state.last) {
      this.setState({ last: last.order });
    }
    this.#anchor.restore();
    if (this.#hadFocus && !(this.#content.current?.contains(document.activeElement) ?? false)) this.#focusAgain();
    this.#soon();
  }

  override componentWillUnmount(): void {
    this.#sizes.disconnect();
    this.#seen.stop();
    document.removeEventListener('visibilitychange', this.#look);
    window.removeEventListener('focus', this.#look);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  override render(): ReactNode {
    const { rows, render, label, head, tail } = this.props;
    const { from, to } = this.#slice();
    const shown = rows.slice(from, to);
    const active = this.#activeIn(shown);
    return (
      <div
        ref={this.#scroller}
        className={classes['scroller']}
        onScroll={this.#onScroll}
        onTouchStart={() => this.#anchor.hold()}
        onTouchEnd={this.#onTouchEnd}
        onTouchCancel={this.#onTouchEnd}
        tabIndex={-1}
      >
        <div className={classes['end']}>{from === 0 && head}</div>
        <div
          ref={this.#content}
          {...(shown.length > 0 && { role: 'feed', 'aria-label': label })}
          className={classes['rows']}
          onKeyDown={this.#onKey}
        >
          {shown.map((row, index) => (
            <div
              key={row.key}
              role="article"
              aria-setsize={-1}
              aria-posinset={from + index + 1}
              data-order={row.order}
              tabIndex={row === active ? 0 : -1}
              className={classes['row']}
              onFocus={() => this.setState({ active: row.order })}
            >
              {render(row)}
            </div>
          ))}
        </div>
        <div className={classes['end']}>{to === rows.length && tail}</div>
      </div>
    );
  }

  /** Scrolls to the end of what is loaded. */
  toEnd(): void {
    const { rows } = this.props;
    const to = rows.length;
    const first = rows[Math.max(0, to - FIRST_ROWS)]?.order ?? 0;
    const isThere = this.#slice().to === to;
    this.setState(isThere ? null : { first, last: rows.at(-1)?.order ?? -1 }, () => this.#anchor.toEnd());
  }

  /** Gives the focus to the first row in view, or to the last (-1): to one that is whole, if there is one. Nothing scrolls. */
  focusShown(at = 0): void {
    const view = this.#scroller.current?.getBoundingClientRect();
    if (view === undefined) return;
    const rows = [...(this.#content.current?.querySelectorAll<HTMLElement>('[role=article]') ?? [])];
    const within = (isIn: (box: DOMRect) => boolean): HTMLElement | undefined =>
      rows.filter((row) => isIn(row.getBoundingClientRect())).at(at);
    const row =
      within(({ top, bottom }) => top >= view.top && bottom <= view.bottom + 1) ??
      within(({ top, bottom }) => top < view.bottom && bottom > view.top);
    row?.focus({ preventScroll: true });
  }

  /** The row that takes the focus by Tab: the one that had it, or the next where that is gone. */
  #activeIn(rows: readonly Row[]): Row | undefined {
    const { active = Infinity } = this.state;
    return rows.find(({ order }) => order >= active) ?? rows.at(-1);
  }

  /** After the row with the focus has left the document: gives it to the next one, or to the list where it is only out of view. */
  #focusAgain(): void {
    const { rows } = this.props;
    const isThere = rows.some(({ order }) => order === this.state.active);
    const next = isThere ? undefined : this.#activeIn(rows);
    if (next === undefined) this.#scroller.current?.focus({ preventScroll: true });
    else this.setState({ active: next.order }, this.#focusActive);
  }

  #slice(): Slice {
    const { rows } = this.props;
    const { first, last } = this.state;
    const to = indexAfterOrder(rows, last);
    return { from: Math.max(indexOfOrder(rows, first), to - ROWS_MAX), to };
  }

  #open(scroller: HTMLElement): void {
    const { opening } = this.props;
    const row = opening.at === 'row' ? this.#rowOf(opening.order) : undefined;
    if (opening.at === 'end' || row === undefined) this.#anchor.toEnd();
    else this.#anchor.pin(row, opening.px ?? this.#offsetFor(row, scroller.clientHeight, opening.part ?? 1 / 3));
  }

  /** A part of one half centres the row; others say where its top is. */
  #offsetFor(row: Element, height: number, part: number): number {
    return part === 0.5 ? Math.max(0, (height - row.getBoundingClientRect().height) / 2) : height * part;
  }

  #rowOf(order: number): HTMLElement | undefined {
    const children = [...(this.#content.current?.children ?? [])] as HTMLElement[];
    return children.find((row) => orderOf(row) >= order);
  }

  readonly #look = (): void => this.#seen.look();

  readonly #onScroll = (): void => {
    this.#anchor.followReader();
    this.#soon();
  };

  /** Momentum goes on after the finger has left, until `scrollend`. */
  readonly #onTouchEnd = (): void => {
    const release = (): void => {
      this.#anchor.release();
      this.#soon();
    };
    const scroller = this.#scroller.current;
    const before = scroller?.scrollTop;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (scroller === null || scroller.scrollTop === before) release();
        else scroller.addEventListener('scrollend', release, { once: true });
      }),
    );
  };

  #soon(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#fill();
      this.#tellPlace();
      this.#seen.look();
    });
  }

  #fill(): void {
    const [scroller, content] = [this.#scroller.current, this.#content.current];
    if (scroller === null || content === null || this.#anchor.isHeld) return;
    const { rows, onNearStart, onNearEnd } = this.props;
    const slice = this.#slice();
    const margins = marginsOf(scroller, content);
    const wanted = Math.max(MARGIN_LEAST_PX, scroller.clientHeight * MARGIN_WINDOWS);
    const next = nextSlice(slice, rows.length, margins, wanted);
    if (next.from !== slice.from || next.to !== slice.to) {
      this.setState({ first: rows[next.from]?.order ?? 0, last: rows[next.to - 1]?.order ?? -1 });
    }
    if (next.from < ASK_ROWS) onNearStart();
    if (rows.length - next.to < ASK_ROWS) onNearEnd();
  }

  #tellPlace(): void {
    const { place, isAtEnd } = this.#anchor;
    const isLast = this.#slice().to === this.props.rows.length;
    if (place !== undefined)
      this.props.onPlace?.({ isAtEnd: isAtEnd && isLast, order: orderOf(place.row), px: place.offset });
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>('[data-order]');
    if (row === null || event.defaultPrevented) return;
    const step =
      event.target === row && !event.ctrlKey && !event.metaKey && !event.altKey ? STEPS[event.key] : undefined;
    if (step === undefined) {
      this.props.onRowKey?.(event, orderOf(row));
      return;
    }
    event.preventDefault();
    const { rows } = this.props;
    const index = indexOfOrder(rows, orderOf(row)) + step;
    const next = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (next !== undefined) this.setState({ active: next.order }, this.#focusActive);
  };

  /** Gives the focus to the active row, and moves it into view if need be. */
  readonly #focusActive = (): void => {
    const { active } = this.state;
    const [scroller, row] = [this.#scroller.current, active === undefined ? undefined : this.#rowOf(active)];
    // What it has inside may have the focus.
    if (scroller === null || row === undefined || orderOf(row) !== active || row.contains(document.activeElement))
      return;
    row.focus({ preventScroll: true });
    const [view, box] = [scroller.getBoundingClientRect(), row.getBoundingClientRect()];
    if (box.top < view.top) scroller.scrollTop += box.top - view.top;
    else if (box.bottom > view.bottom) scroller.scrollTop += Math.min(box.bottom - view.bottom, box.top - view.top);
  };
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function orderOf(row: Element): number {
  return Number((row as HTMLElement).dataset['order']);
}

/** Tells style sheets how wide the scrollbar is, which differs by system, browser and zoom. */
function tellScrollbar({ offsetWidth, clientWidth }: HTMLElement): void {
  const { style } = document.documentElement;
  const width = `${offsetWidth - clientWidth}px`;
  if (style.getPropertyValue('--scrollbar') !== width) style.setProperty('--scrollbar', width);
}

function marginsOf(scroller: HTMLElement, { children }: HTMLElement) {
  const view = scroller.getBoundingClientRect();
  const [first, last] = [children[0], children[children.length - 1]];
  if (first === undefined || last === undefined) return { above: 0, below: 0, firstStep: 0, lastStep: 0 };
  const [top, bottom] = [first.getBoundingClientRect().top, last.getBoundingClientRect().bottom];
  const [afterFirst, beforeLast] = [children[STEP_ROWS], children[children.length - STEP_ROWS - 1]];
  return {
    above: view.top - top,
    below: bottom - view.bottom,
    firstStep: (afterFirst?.getBoundingClientRect().top ?? bottom) - top,
    lastStep: bottom - (beforeLast?.getBoundingClientRect().bottom ?? top),
  };
}
