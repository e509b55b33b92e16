/** How the chat page writes times, by the reader's setting. */
import { dayAndTimeOf, setClock, timeOf, wholeTimeOf, whenOf } from '../../web/shared/time.js';

const HOUR = 3600;
/** All hours of a day, in whichever zone. */
const hours = Array.from({ length: 24 }, (_, hour) => 1_750_000_000 + hour * HOUR);

afterEach(() => setClock(undefined));

test('with AM and PM, hours have no zero in front', () => {
  setClock(false);
  for (const at of hours) {
    expect(timeOf(at)).toMatch(/^(?:[1-9]|1[0-2]):\d\d\s[AP]M$/i);
    for (const text of [whenOf(at), dayAndTimeOf(at)]) expect(text).toMatch(/\s(?:[1-9]|1[0-2]):\d\d\s[AP]M$/i);
    expect(wholeTimeOf(at)).toMatch(/\s(?:[1-9]|1[0-2]):\d\d:\d\d\s[AP]M$/i);
  }
});

test('without, they have two digits', () => {
  setClock(true);
  for (const at of hours) expect(timeOf(at)).toMatch(/^[0-2]\d:\d\d$/);
});
