/** What a feature keeps in the directory is a part that its manifest names. */
import { Controller, Get, Post } from '@nestjs/common';
import { Type } from 'typebox';
import { directoryValue, organizationEvent } from '#directory';
import { CommandRunner, eventType } from '#event-store';
import { defineFeature } from '#feature';
import { Param, Params, text } from '#http';
import { BY_SERVER } from '#kernel';
import { Directory } from '#people';
import { projection } from '#read-store';
import { compose, FEATURES } from '#runtime';
import { startTestServer, type TestServer } from '../../support/server.js';

const lampLit = organizationEvent('lamp.lit.v1', Type.Object({ name: Type.String() }));
const lampBroken = organizationEvent('lamp.broken.v1', Type.Object({}));

/** Names of the lit lamps, and how many users there are in the meantime. */
const lampsPart = directoryValue({
  name: 'lamps',
  events: [lampLit],
  initial: [] as readonly string[],
  evolve: (lit, { data: { name } }) => [...lit, name],
});

class LampParams {
  @Param(text())
  name!: string;
}

@Controller('api/v1/lamps')
class LampsController {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
  ) {}

  @Post()
  async light(@Params(LampParams) { name }: LampParams): Promise<void> {
    await this.runner.runOn(
      this.directory,
      (directory) => ({
        events: directory.of(lampsPart).includes(name) ? [] : [{ type: lampLit.name, data: { name } }],
      }),
      BY_SERVER,
    );
  }

  @Post('broken')
  async break(): Promise<void> {
    await this.runner.runOn(this.directory, () => ({ events: [{ type: lampBroken.name, data: {} }] }), BY_SERVER);
  }

  @Get()
  list(): object {
    return { lamps: this.directory.of(lampsPart) };
  }
}

const lamps = defineFeature({ name: 'lamps', directory: [lampsPart], controllers: [LampsController] });

describe('a server with a feature that has a part of the directory', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({}, undefined, compose([...FEATURES, lamps]));
  });
  afterAll(() => server.stop());

  const lit = async (): Promise<unknown> => (await server.owner.ok('GET', '/lamps')).lamps;

  test('decides on it and reads it, also after a restart', async () => {
    expect(await lit()).toEqual([]);
    await server.owner.ok('POST', '/lamps', { name: 'hall' });
    await server.owner.ok('POST', '/lamps', { name: 'hall' });
    expect(await lit()).toEqual(['hall']);
    await server.restart();
    await server.owner.ok('POST', '/lamps', { name: 'stairs' });
    expect(await lit()).toEqual(['hall', 'stairs']);
  });

  test('records nothing that no part handles', async () => {
    expect(await server.owner.call('POST', '/lamps/broken')).toMatchObject({ status: 500 });
    await server.owner.ok('POST', '/lamps', { name: 'yard' });
    await server.restart();
    expect(await lit()).toContain('yard');
  });
});

test.each([
  ['records an event of the organization that no part handles', { events: [lampBroken] }],
  [
    'has a projection for it alone',
    {
      events: [lampBroken],
      projections: [
        projection({ name: 'lamps', key: 'text', fields: {}, indexes: [] } as const, {
          'lamp.broken.v1': { keys: () => ['one'], evolve: () => ({}) },
        }),
      ],
    },
  ],
])('a feature that %s does not start, and is named', (_what, parts) => {
  expect(() => compose([...FEATURES, defineFeature({ name: 'lamps', ...parts })])).toThrow(
    "The feature lamps records lamp.broken.v1 in the organization's stream, which no part of the directory handles.",
  );
});

test('a part that hears events of nobody does not start', () => {
  const deaf = directoryValue({
    name: 'deaf',
    events: [],
    hears: [eventType('bell.rung.v1', Type.Object({}))],
    initial: 0,
    evolve: (count) => count + 1,
  });
  expect(() => compose([...FEATURES, defineFeature({ name: 'x', directory: [deaf] })])).toThrow(
    'The directory reads bell.rung.v1, which no feature records.',
  );
});

test('two parts of one name do not start', () => {
  const other = directoryValue({ name: 'lamps', events: [], initial: 0, evolve: (count) => count });
  const features = [lamps, defineFeature({ name: 'x', directory: [other] })];
  expect(() => compose([...FEATURES, ...features])).toThrow(
    'The part of the directory lamps is defined by the features lamps and x.',
  );
});
