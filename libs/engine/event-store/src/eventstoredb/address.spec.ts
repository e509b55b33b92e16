import { parseAddress } from './address.js';

test.each([
  ['esdb://localhost', 'localhost', false, ['esdb://localhost:2113?connectionName=scrollback']],
  ['esdb://h:2113?tls=false', 'h:2113', false, ['esdb://h:2113?tls=false&connectionName=scrollback']],
  ['esdb://h:1/?tls=false', 'h:1', false, ['esdb://h:1?tls=false&connectionName=scrollback']],
  ['kurrentdb://a:b@h?tls=true', 'h', false, ['esdb://a:b@h:2113?tls=true&connectionName=scrollback']],
  ['esdb+discover://a:b%40c@h', 'h', true, ['esdb://a:b%40c@h:2113?connectionName=scrollback']],
  ['kurrentdb+discover://h', 'h', true, ['esdb://h:2113?connectionName=scrollback']],
  [
    'esdb://a:b@x:1,y:2,z?connection_name=me',
    'x:1,y:2,z',
    true,
    ['x:1', 'y:2', 'z:2113'].map((node) => `esdb://a:b@${node}?connection_name=me`),
  ],
])('%s is an address', (text, hosts, isCluster, connectionStrings) => {
  const address = parseAddress(text);
  expect(address).toMatchObject({ hosts, isCluster });
  expect(address.seeds.map((node) => address.connectionString(node))).toEqual(connectionStrings);
});

test.each([
  ['http://h', /looks like/],
  ['esdb://', /looks like/],
  ['esdb://h:port', /looks like/],
  ['esdb://h/path', /looks like/],
  ['esdb://s3cret@h', /user:password@/],
  ['esdb://a:s3cret/@h', /user:password@/],
  ['esdb://a:s3cret:b@h', /user:password@/],
  ['esdb://a:s3cret%zz@h', /user:password@/],
  ['esdb://a:s3cret@b@h', /user:password@/],
  ['esdb://a:b@h?s3cret=%20', /unknown option: s3cret/],
  ['esdb://a:s3cret@h?color=red', /unknown option: color\.$/],
  ['esdb://a:s3cret@h?throwOnAppendFailure=false', /unknown option: throwOnAppendFailure\.$/],
  ['esdb://a:s3cret@h?tlsVerifyCert=false', /tlsCAFile instead/],
  ['esdb://a:s3cret@h?tls', /gives tls no value/],
])('%s is none', (text, complaint) => {
  expect(() => parseAddress(text)).toThrow(TypeError);
  expect(() => parseAddress(text)).toThrow(complaint);
  if (!text.includes('?s3cret')) expect(() => parseAddress(text)).not.toThrow(/s3cret/);
});
