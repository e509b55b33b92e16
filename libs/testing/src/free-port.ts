import { createServer } from 'node:net';

/**
 * Below the ports that systems give to connections and to those who ask for any: whoever takes one of those here, and listens later or
 * again after a restart, may find that it was given away meanwhile.
 */
const [FIRST, END] = [20_000, 32_768];
/** Test processes that run beside each other have process IDs close to each other, and use fewer ports. */
const APART = 97;

let next = (process.pid * APART) % (END - FIRST);

/** A port of this machine on which nothing listens, that nobody is given who asks for any, and that this process does not give again soon. */
export async function freePort(): Promise<number> {
  for (let tries = FIRST; tries < END; tries++) {
    const port = FIRST + (next++ % (END - FIRST));
    if (await isFree(port)) return port;
  }
  throw new Error('There is no port.');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((closed) => server.close(closed));
  return isListening;
}
