import { useEffect, useState } from 'react';
import { call } from '../../shared/api.js';

/** Topics of a channel, to choose from, the latest first; none while they are not known. */
export function useTopics(channelId: number | undefined): readonly string[] {
  const [topics, setTopics] = useState<readonly string[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    setTopics([]);
    if (channelId === undefined) return undefined;
    const path = `/users/me/${channelId}/topics`;
    const params = { allow_empty_topic_name: true };
    call<{ readonly topics: readonly { readonly name: string }[] }>('GET', path, params, abort.signal).then(
      (answer) => setTopics(answer.topics.map(({ name }) => name)),
      // Any name can be typed without the list.
      () => undefined,
    );
    return () => abort.abort();
  }, [channelId]);
  return topics;
}
