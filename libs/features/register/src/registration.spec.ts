import { botsPart } from '#bots/model';
import { type JsonFields, type PreparedFields, type RegisterContext, RegisterFields } from '#feature';
import type { EventQueues } from '#feed';
import { Mutex } from '#kernel';
import { Directory } from '#people';
import { Site } from '#realm/model';
import type { User } from '#users/model';
import { ManualClock } from '#testing';
import { Registration, type RegistrationRequest } from './registration.js';
import { StillReads } from './still-reads.js';

describe('a registration', () => {
  const mutex = new Mutex();
  class LockedReads extends StillReads {
    override still<T>(read: () => Promise<T>): Promise<T> {
      return mutex.run(read);
    }
  }
  const queues = { register: () => Promise.resolve({ queueId: 'q', lastEventId: 1, lifespanSeconds: 600 }) };
  const request = {
    settings: { includeSubscribers: false, capabilities: [] },
    fetchEventTypes: ['slow'],
    pronouns: false,
    lifespanSeconds: 0,
  } as unknown as RegistrationRequest;

  /** Fields whose reading takes as long as the test says, and that are usable from a number of readings on. */
  class SlowFields extends RegisterFields {
    override readonly keys = ['slow'];
    readings = 0;
    listening = 0;
    constructor(
      private readonly read: () => Promise<void>,
      private readonly usableFrom: number,
    ) {
      super();
    }
    override addTo(): void {
      throw new Error('These were read beforehand.');
    }
    override prepare(_: RegisterContext): PreparedFields {
      this.listening++;
      const { usableFrom } = this;
      const reading = ++this.readings;
      return {
        read: this.read,
        isUsable: reading >= usableFrom,
        addTo: (fields: JsonFields) => Promise.resolve(void fields.add('slow', reading)),
        end: () => this.listening--,
      };
    }
  }
  const register = async (fields: SlowFields): Promise<Record<string, unknown>> => {
    const site = new Site('http://site');
    const parts = [
      new Directory([botsPart]),
      site,
      new ManualClock(),
      queues as unknown as EventQueues,
      new LockedReads(),
    ] as const;
    const pieces = await new Registration(...parts, [fields]).register({} as User, request);
    return JSON.parse(`{${pieces.join('')}}`) as Record<string, unknown>;
  };

  test('lets events become visible while it reads what takes long', async () => {
    const committed: string[] = [];
    const read = async (): Promise<void> => {
      await mutex.run(() => Promise.resolve(committed.push('a batch')));
    };
    expect(await register(new SlowFields(read, 1))).toMatchObject({ slow: 1, queue_id: 'q' });
    expect(committed).toEqual(['a batch']);
  });

  test.each([
    [2, 2],
    [99, 3],
  ])('reads again what is no longer usable (usable from reading %i on), but not for ever', async (from, readings) => {
    const fields = new SlowFields(() => Promise.resolve(), from);
    expect(await register(fields)).toMatchObject({ slow: readings });
    expect(fields.listening).toBe(0);
  });

  test('listens to nothing any more after a failure', async () => {
    const fields = new SlowFields(() => Promise.reject(new Error('The store fails.')), 1);
    await expect(register(fields)).rejects.toThrow('The store fails.');
    expect(fields.listening).toBe(0);
  });
});
