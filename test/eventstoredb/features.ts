import features from '@eventstore/db-client/generated/serverfeatures_pb.js';

const STREAMS = 'event_store.client.streams.streams';
/** Everything that is served; persistent subscriptions, projections and the like are not. */
const METHODS = ['append', 'batchappend', 'delete', 'read', 'tombstone'];
const FEATURES: Record<string, string[]> = { append: [], batchappend: ['deadline_duration'], read: ['position'] };
const SERVER_VERSION = '22.10.5';

/** ServerFeatures.GetSupportedMethods, the first thing that a client asks. */
export function supportedMethods(): features.SupportedMethods {
  const answer = new features.SupportedMethods();
  answer.setEventStoreServerVersion(SERVER_VERSION);
  for (const name of METHODS) {
    const method = new features.SupportedMethod();
    method.setServiceName(STREAMS);
    method.setMethodName(name);
    method.setFeaturesList(FEATURES[name] ?? []);
    answer.addMethods(method);
  }
  return answer;
}
