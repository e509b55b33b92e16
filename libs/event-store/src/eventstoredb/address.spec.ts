import { parseAddress } from './address.js';

test.each([
  ['esdb://localhost', 'localhost', 'esdb://localhost?connectionName=scrollback'],
  ['esdb://h:2113?tls=false', 'h:2113', 'esdb://h:2113?tls=false&connectionName=scrollback'],
  ['esdb://h:2113/?tls=false', 'h:2113', 'esdb://h:2113?tls=false&connectionName=scrollback'],
  ['kurrentdb://a:b@h?tls=true', 'h', 'esdb://a:b@h?tls=true&connectionName=scrollback'],
  ['esdb+discover://a:b%40c@h', 'h', 'esdb+discover://a:b%40c@h?connectionName=scrollback'],
  ['kurrentdb+discover://h', 'h', 'esdb+discover://h?connectionName=scrollback'],
  ['esdb://a:b@x:1,y:2,z?connection_name=me', 'x:1,y:2,z', 'esdb://a:b@x:1,y:2,z?connection_name=me'],
])('%s is an address', (text, hosts, connectionString) => {
  expect(parseAddress(text)).toEqual({ hosts, connectionString });
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
