/** A server whose files are on S3, while that is away. */
import { describeOnS3 } from '#testing';
import { build, ServerProcess } from '../support/process.js';
import { load, tryUpload, upload } from '../support/uploads.js';

describeOnS3('files on S3', (s3) => {
  const server = new ServerProcess();
  beforeAll(() => {
    build();
  });
  afterAll(() => server.discard());

  test('everything else works while the storage is away, and files do when it is back', async () => {
    const environment = { UPLOADS_URL: s3.freshUrl() };
    await s3.kill('SIGKILL');
    await server.start(environment);
    const owner = server.owner();
    const { user_id } = await owner.ok('GET', '/users/me');
    await owner.ok('POST', '/messages', { type: 'direct', to: JSON.stringify([user_id]), content: 'Hello' });
    const refused = await tryUpload(server, owner, 'soup.txt', 'soup');
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'SERVER_NOT_READY',
      '1',
    ]);
    expect((await owner.ok('GET', '/attachments')).attachments).toEqual([]);
    await s3.start();
    const url = await upload(server, owner, 'soup.txt', 'soup');
    expect(await (await load(server, url, owner)).text()).toBe('soup');
    await s3.kill('SIGKILL');
    const away = await load(server, url, owner);
    expect([away.status, away.headers.get('etag')]).toEqual([503, null]);
    expect(away.headers.get('cache-control')).toContain('no-store');
    await s3.start();
    expect(await (await load(server, url, owner)).text()).toBe('soup');
    expect(server.output).toContain('UPLOADS_URL: files cannot be used at the moment.');
    for (const secret of s3.secrets) expect(server.output).not.toContain(secret);
  });
});
