// Loaded into a server before it starts: its time is what the file of the session says, and stands still in between.
import { readFileSync } from 'node:fs';

const path = process.env.SESSION_CLOCK;
const Real = Date;
const now = () => Number(readFileSync(path, 'utf8'));

class SessionDate extends Real {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }

  static now() {
    return now();
  }
}

globalThis.Date = SessionDate;
