// Run by mongosh as the health check of the tests' MongoDB: makes it a replica set of its own, and succeeds once it takes writes.
const admin = connect('mongodb://test-mongo:27017/admin?directConnection=true');

if (admin.hello().setName === undefined)
  admin.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: 'test-mongo:27017' }] } });
// It elects itself in a moment; the next check sees it.
if (!admin.hello().isWritablePrimary) quit(1);
