/** The list alone, with rows that a test makes; `window.list` is what it calls. */
import { createRef, StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { type ListRow, MessageList, type Opening } from './message-list.js';

interface Row extends ListRow {
  readonly lines: number;
  readonly px: number;
}

const PAGE_ROWS = 100;
const BOX = { blockSize: '600px', inlineSize: '500px' };

/** Heights are a function of the order, so that a row has its own whenever it comes back. */
const rowOf = (order: number): Row => ({ key: `r${order}`, order, lines: 1 + ((order * 7919) % 5), px: 0 });

const list = createRef<MessageList<Row>>();
const root = createRoot(document.getElementById('page') ?? document.body);

const state = {
  rows: [] as Row[],
  total: 0,
  opening: { at: 'end' } as Opening,
  seen: [] as number[],
  isAtEnd: false,
  box: BOX,
  /** Whether pages are appended and prepended by itself. */
  loads: true,
};

function draw(): void {
  const { rows, total, opening, box } = state;
  flushSync(() => {
    root.render(
      <StrictMode>
        <div style={box}>
          <MessageList
            ref={list}
            rows={rows}
            opening={opening}
            label="Messages"
            isNewest={rows.at(-1)?.order === total || !state.loads}
            render={({ order, lines, px }) => (
              <div style={{ paddingBlockEnd: px, font: '16px/20px monospace' }}>
                {Array.from({ length: lines }, (_, line) => (
                  <div key={line}>{`message ${order}, line ${line}`}</div>
                ))}
                <button type="button" tabIndex={-1}>
                  act {order}
                </button>
              </div>
            )}
            onNearStart={() => later(() => page(-1))}
            onNearEnd={() => later(() => page(1))}
            onSeen={(orders) => state.seen.push(...orders)}
            onPlace={({ isAtEnd }) => (state.isAtEnd = isAtEnd)}
          />
        </div>
      </StrictMode>,
    );
  });
}

let isLoading = false;
function later(act: () => void): void {
  if (isLoading || !state.loads) return;
  isLoading = true;
  setTimeout(() => {
    isLoading = false;
    act();
  }, 20);
}

function page(direction: 1 | -1): void {
  const [first, last] = [state.rows[0]?.order ?? 1, state.rows.at(-1)?.order ?? 0];
  const from = direction === 1 ? last + 1 : Math.max(1, first - PAGE_ROWS);
  const to = direction === 1 ? Math.min(state.total, last + PAGE_ROWS) : first - 1;
  if (to < from) return;
  const more = Array.from({ length: to - from + 1 }, (_, index) => rowOf(from + index));
  state.rows = direction === 1 ? [...state.rows, ...more] : [...more, ...state.rows];
  draw();
}

const api = {
  state,
  open(total: number, from: number, to: number, opening: Opening): void {
    Object.assign(state, { total, opening, rows: Array.from({ length: to - from + 1 }, (_, i) => rowOf(from + i)) });
    root.render(null);
    setTimeout(draw);
  },
  change(rows: (rows: Row[]) => Row[]): void {
    state.rows = rows(state.rows);
    draw();
  },
  resize(box: Partial<typeof BOX>): void {
    state.box = { ...state.box, ...box };
    draw();
  },
  rowOf,
  toEnd: () => list.current?.toEnd(),
  /** The first row whose bottom is below the top edge: its order and where its top is. */
  anchor(): { order: number; top: number } | undefined {
    const scroller = document.querySelector('[role=feed]')?.parentElement;
    const edge = scroller?.getBoundingClientRect().top ?? 0;
    const row = [...document.querySelectorAll<HTMLElement>('[role=article]')].find(
      (one) => one.getBoundingClientRect().bottom > edge,
    );
    return row && { order: Number(row.dataset['order']), top: row.getBoundingClientRect().top - edge };
  },
};
export type ListHarness = typeof api;
Object.assign(globalThis, { list: api });
