import { ReadBarrier } from '#event-store';
import { Refusal } from '#kernel';
import { type Intent, ReadSideGate, type ReadSidePass } from '#read-store';

class NoBarrier extends ReadBarrier {
  override assertAccepting(): void {
    // Nothing is ever stalled here.
  }

  override waitFor(): Promise<void> {
    return Promise.resolve();
  }
}

/** A gate over a read side that is whole, until the test says otherwise. */
export class OpenGate extends ReadSideGate {
  isWhole = true;

  /** @param barrier of the test's read side */
  constructor(private readonly barrier: ReadBarrier = new NoBarrier()) {
    super();
  }

  override async enter({ position = 0 }: Intent = {}): Promise<ReadSidePass> {
    this.barrier.assertAccepting();
    await this.barrier.sync();
    const assertValid = async (): Promise<void> => {
      if (!this.isWhole) throw new Refusal('SERVER_NOT_READY', 'The read models are not whole.');
    };
    await assertValid();
    return { position, assertValid };
  }
}
