// Which routes of the catalogue a session goes through, with a success and with a refusal.
import { readFileSync } from 'node:fs';

const CATALOGUE = new URL('../../docs/interface/catalogue.json', import.meta.url);

/** A parameter that holds a path, or an address; others hold one segment. */
const PARAMETERS = { '{path}': '.+', '{email}': '[^/]*@[^/]*', '{filename}': '.+' };

/** Open to everybody, with nothing that could be wrong. */
const NEVER_REFUSED = new Set([
  'GET /server_settings',
  'GET /dev_list_users',
  'GET SERVER/static/emoji.json',
  'GET SERVER/compatibility',
]);

function patternOf(route) {
  const source = route.replaceAll(/\{[^}]*\}/g, (name) => PARAMETERS[name] ?? '[^/]+');
  return new RegExp(`^${source.replaceAll('.png', '\\.png')}$`);
}

export class Routes {
  #routes = JSON.parse(readFileSync(CATALOGUE, 'utf8')).routes.map((route) => ({
    route,
    pattern: patternOf(route),
    // The route with the most literal text is meant.
    weight: route.replaceAll(/\{[^}]*\}/g, '').length + (route.includes('{email}') ? 0.5 : 0),
    successes: 0,
    refusals: 0,
  }));

  get names() {
    return this.#routes.map(({ route }) => route);
  }

  record(method, path, status) {
    const asked = `${method} ${path.split('?')[0]}`;
    const [found] = this.#routes.filter(({ pattern }) => pattern.test(asked)).sort((a, b) => b.weight - a.weight);
    if (found === undefined) return;
    if (status < 400) found.successes++;
    else found.refusals++;
  }

  /** Sentences about routes that were not called with success, or not refused. */
  get missing() {
    return this.#routes.flatMap(({ route, successes, refusals }) => [
      ...(successes === 0 ? [`${route}: no success`] : []),
      ...(refusals === 0 && !NEVER_REFUSED.has(route) ? [`${route}: no refusal`] : []),
    ]);
  }
}
