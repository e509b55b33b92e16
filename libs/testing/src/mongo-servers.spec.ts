import os from 'node:os';
import { MongoClient } from 'mongodb';
import { describeOnMongo, GivenMongo } from './mongo-servers.js';

describeOnMongo('a server that the suites are given', (server) => {
  test('holds a database for each suite, and none of them afterwards', async () => {
    const given = new GivenMongo(server.freshUrl());
    const urls = [given.freshUrl(), given.freshUrl()];
    expect(new Set(urls).size).toBe(2);
    const client = await new MongoClient(server.freshUrl(), { runtimeAdapters: { os } }).connect();
    const names = urls.map((url) => new URL(url).pathname.slice(1));
    for (const name of names) await client.db(name).createCollection('notes');
    const present = async (): Promise<string[]> => {
      const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
      return databases.map(({ name }) => name).filter((name) => names.includes(name));
    };
    expect(await present()).toHaveLength(2);
    await given.dropAll();
    expect(await present()).toEqual([]);
    await client.close();
  });
});
