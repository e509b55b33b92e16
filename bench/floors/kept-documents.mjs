// The floor for what reads and changes messages: a bare node:http server on the read store's own file. No credentials, no
// flags, no access: it knows beforehand which documents are wanted.
//   POST /documents  [keys]            answers with these documents
//   POST /bytes      a number          answers with so many bytes
//   POST /rewrite    [keys]            reads these documents and writes them anew in one transaction, in a file of its own
import { createServer } from 'node:http';
import Database from 'libsql';

const [, , readModels, scratchFile] = process.argv;
const open = (path) => {
  const db = new Database(path);
  for (const pragma of ['journal_mode=WAL', 'synchronous=NORMAL', 'cache_size=-16384', 'mmap_size=67108864'])
    db.pragma(pragma);
  return db;
};

const db = open(readModels);
const { generation } = db.prepare("SELECT generation FROM catalog WHERE name = 'messages'").get([]);
const table = `"messages__${generation}"`;
const columns = '"$key", conversation, "topicKey", "$body"';
const documents = db.prepare(`SELECT ${columns} FROM ${table} WHERE "$key" IN (SELECT value FROM json_each(?))`).raw();

const scratch = open(scratchFile);
scratch.exec('CREATE TABLE documents ("$key" INTEGER PRIMARY KEY, conversation TEXT, "topicKey" TEXT, "$body" TEXT)');
scratch.exec('CREATE INDEX by_topic ON documents (conversation, "topicKey")');
const put = scratch.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)');
const get = scratch.prepare(`SELECT ${columns} FROM documents WHERE "$key" = ?`).raw();
let rounds = 0;

const answers = {
  '/documents': (keys) => {
    const bodies = documents.all([keys]).map((row) => row[3]);
    return `{"result":"success","messages":[${bodies.join(',')}]}`;
  },
  '/bytes': (length) => 'x'.repeat(Number(length)),
  '/rewrite': (keys) => {
    const wanted = JSON.parse(keys);
    const isNew = get.get([wanted[0]]) === undefined;
    if (isNew) {
      scratch.exec('BEGIN');
      for (const row of documents.all([keys])) put.run(row);
      scratch.exec('COMMIT');
    }
    const topicKey = `moved ${++rounds}`;
    const startedAt = performance.now();
    scratch.exec('BEGIN');
    for (const key of wanted) {
      const [, conversation, , body] = get.get([key]);
      put.run([key, conversation, topicKey, body]);
    }
    scratch.exec('COMMIT');
    return JSON.stringify({ elapsedMs: performance.now() - startedAt });
  },
};

// Connections are idle while other parts are measured.
createServer({ keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 }, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = answers[request.url](Buffer.concat(chunks).toString());
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    response.end(text);
  });
}).listen(0, '127.0.0.1', function () {
  console.log(`listening ${this.address().port}`);
});
