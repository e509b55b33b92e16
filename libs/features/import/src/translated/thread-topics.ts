import { topicFrom } from './message-text.js';

/** Topics of the threads of one channel: each has its own. */
export class ThreadTopics {
  readonly #byThread = new Map<string | number, string>();
  readonly #taken = new Set<string>();

  /**
   * The topic of a thread, named when it is first asked for.
   * @param text returns the text of the thread's first message; the empty string when it is unknown
   */
  topicOf(thread: string | number, text: () => string): string {
    const known = this.#byThread.get(thread);
    if (known !== undefined) return known;
    const wish = topicFrom(text(), 'thread');
    let topic = wish;
    for (let number = 2; this.#taken.has(topic.toLowerCase()); number++) topic = `${wish} (${number})`;
    this.#taken.add(topic.toLowerCase());
    this.#byThread.set(thread, topic);
    return topic;
  }
}
