import type { JsonObject } from '#kernel';
import { Broadcast, type Subscribing } from '../../sharing.js';
import type { Signals } from '../server/signals.js';

/** All signals together share a few megabytes. */
const BODY_LENGTH_MAX = 16_384;
/** Separates these topics from the store's own. */
const PREFIX = 'broadcast/';

export class MongoBroadcast extends Broadcast {
  constructor(private readonly signals: Signals) {
    super();
  }

  override async publish(topic: string, body: JsonObject): Promise<void> {
    const text = JSON.stringify(body);
    if (text.length > BODY_LENGTH_MAX) throw new RangeError(`A broadcast holds up to ${BODY_LENGTH_MAX} characters.`);
    await this.signals.send(PREFIX + topic, text);
  }

  override subscribe(topic: string, heard: (body: JsonObject) => void, subscribing?: Subscribing): () => void {
    return this.signals.listen(PREFIX + topic, (text) => heard(JSON.parse(text) as JsonObject), subscribing);
  }
}
