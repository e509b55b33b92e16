import { type AppendStream, type Client, partsOf } from './driver.js';

/** Name by which the client creates its stream of appends. */
const APPENDS = 'appendToStream';

/**
 * Makes the client's stream of appends survive what would end the process, for which the client has no option. The
 * stream is only reachable while the client creates it.
 * An answer to nobody makes the client throw in its handler, outside every promise: the server answers some appends
 * twice, and the answers to appends that were rejected with a connection may still come. Such an answer is dropped.
 * What the stream does not take at once waits inside the client, which rejects it with the connection where nobody can
 * catch that. The stream therefore takes everything: appends in flight are few and small.
 */
export function guardAppends(client: Client): void {
  const parts = partsOf(client);
  const create = parts.GRPCStreamCreator;
  parts.GRPCStreamCreator = (stub, name, creator, cache) =>
    create(
      stub,
      name,
      name === APPENDS
        ? (streams) => creator({ batchAppend: (...options) => guarded(streams.batchAppend(...options)) })
        : creator,
      cache,
    );
}

function guarded(stream: AppendStream): AppendStream {
  const on = stream.on.bind(stream);
  stream.on = (event, listener) => on(event, event === 'data' ? whatever(listener) : listener);
  const write = stream.write.bind(stream);
  stream.write = (message) => {
    write(message);
    return true;
  };
  return stream;
}

/** An append that still waits for an answer that the client cannot read is given up in its own time. */
function whatever(listener: (answer: unknown) => void): (answer: unknown) => void {
  return (answer) => {
    try {
      listener(answer);
    } catch {
      // The client has no append that waits for this answer.
    }
  };
}
