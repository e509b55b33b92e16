import { merge, type RawParams, REPEATED } from './raw-params.js';

const given = (values: Record<string, readonly string[]>): RawParams => {
  const params = Object.create(null) as RawParams;
  for (const [name, all] of Object.entries(values)) {
    params[name] = all.at(-1) ?? '';
    if (all.length > 1) (params[REPEATED] ??= new Map()).set(name, all);
  }
  return params;
};

test.each([
  [{ box: ['1', '2'] }, { box: ['3'] }, {}],
  [{ box: ['1', '2'] }, { other: ['3'] }, { box: ['1', '2'] }],
  [{ box: ['1', '2'] }, { other: ['3', '4'] }, { box: ['1', '2'], other: ['3', '4'] }],
  [{ box: ['1', '2'] }, { box: ['3', '4'] }, { box: ['3', '4'] }],
  [{ box: ['1'] }, { box: ['3', '4'] }, { box: ['3', '4'] }],
])('of a query %j and a body %j, these are repeated: %j', (query, body, repeated) => {
  const params = merge(given(query), given(body));
  expect(Object.fromEntries(params[REPEATED] ?? [])).toEqual(repeated);
});
