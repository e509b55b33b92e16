import { specFor } from '#testing';
import { ANN, at, place } from '../model/message.decider.fixture.js';
import type { MessagesMoved } from '../model/messages.events.js';
import type { ContinueMove } from './move.commands.js';
import { moveRestDecider } from './move.decider.js';

const given = specFor(moveRestDecider);
const rest = { after: 4, until: 90_000 };

const first: MessagesMoved['data'] = {
  targetId: 5,
  ids: [[1, 5]],
  firstId: 1,
  by: ANN,
  from: place,
  to: { ...place, topic: 'dinner' },
  propagateMode: 'change_all',
  rest,
  at,
};

test('a long move continues when its target was deleted, and ends when no messages are left', () => {
  const gone = { type: 'message.deleted.v1', data: { messageId: 5, by: ANN, place, at } } as const;
  const next = { after: 30, until: 90_000 };
  const go = (ids: readonly number[], left?: typeof rest): ContinueMove => {
    return { messageId: 5, move: first, continues: 0, ids, rest: left, firstLeft: 31 };
  };
  const { rest: _before, ...kept } = first;
  const fact = { ...kept, continues: 0, firstLeft: 31 };
  given(gone)
    .when(go([10, 30], next))
    .then({
      type: 'messages.moved.v1',
      data: {
        ...fact,
        ids: [
          [10, 10],
          [30, 30],
        ],
        firstId: 10,
        rest: next,
      },
    });
  given()
    .when(go([40]))
    .then({ type: 'messages.moved.v1', data: { ...fact, ids: [[40, 40]], firstId: 40 } });
  given().when(go([])).thenNothing();
});
