// Run by mongosh as MongoDB's health check: makes the server a replica set of its own and creates Scrollback's user, where
// that is missing, and succeeds once the server takes writes.
const { MONGO_INITDB_ROOT_PASSWORD, MONGO_PASSWORD } = process.env;
const root = `root:${encodeURIComponent(MONGO_INITDB_ROOT_PASSWORD)}`;
const admin = connect(`mongodb://${root}@mongo:27017/admin?tls=true&tlsCAFile=/trust/ca.crt&directConnection=true`);

if (admin.hello().setName === undefined)
  admin.adminCommand({
    replSetInitiate: {
      _id: 'rs0',
      members: [{ _id: 0, host: 'mongo:27017' }],
      // With more members, another one is the primary 2 to 3 s after its death, instead of 11 s (docs/operations.md).
      settings: { electionTimeoutMillis: 2000, heartbeatTimeoutSecs: 2, heartbeatIntervalMillis: 500 },
    },
  });
// It elects itself in a moment; the next check sees it.
if (!admin.hello().isWritablePrimary) quit(1);

const scrollback = admin.getSiblingDB('scrollback');
if (scrollback.getUser('scrollback') === null)
  scrollback.createUser({
    user: 'scrollback',
    pwd: MONGO_PASSWORD,
    roles: [{ role: 'readWrite', db: 'scrollback' }],
  });
