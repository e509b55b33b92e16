// Runs the stand-in by itself, for manual experiments. It keeps everything in memory, so it always starts empty.
//
//   node test/eventstoredb/run.mjs [PORT]
//
// The default port is 2113.
import { compiled } from '../support/compiled.mjs';

const { EventStoreDbStandIn } = await import(new URL('eventstoredb/index.js', await compiled('eventstoredb')).href);
const standIn = await EventStoreDbStandIn.start({ port: Number(process.argv[2] ?? 2113) });
console.log(standIn.url);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void standIn.stop());
