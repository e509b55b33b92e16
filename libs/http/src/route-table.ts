/** Which verbs each path knows, for the answers to a wrong verb and to OPTIONS. */
export class RouteTable {
  readonly #verbs = new Map<string, { readonly pattern: RegExp; readonly verbs: Set<string> }>();

  add(url: string, methods: string | readonly string[]): void {
    const known = this.#verbs.get(url) ?? { pattern: patternOf(url), verbs: new Set<string>() };
    for (const method of typeof methods === 'string' ? [methods] : methods) known.verbs.add(method);
    this.#verbs.set(url, known);
  }

  /** Whether a route is this path letter for letter, whatever its verb. */
  isLiteral(path: string): boolean {
    return this.#verbs.has(path);
  }

  /** The verbs of the path, sorted; empty for an unknown path. A path that is a route letter for letter is no other route. */
  verbsOf(path: string): readonly string[] {
    const verbs = new Set<string>(this.#verbs.get(path)?.verbs);
    if (verbs.size === 0) {
      for (const route of this.#verbs.values()) {
        if (route.pattern.test(path)) for (const verb of route.verbs) verbs.add(verb);
      }
    }
    if (verbs.size > 0) verbs.add('OPTIONS');
    return [...verbs].sort();
  }
}

function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    if (segment === '*') return '.*';
    return segment.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
