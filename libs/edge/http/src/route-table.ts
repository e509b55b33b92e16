/** Verbs of each path, for answers to a wrong verb and to OPTIONS. */
export class RouteTable {
  readonly #verbs = new Map<string, { readonly pattern: RegExp; readonly verbs: Set<string> }>();

  add(url: string, methods: string | readonly string[]): void {
    const known = this.#verbs.get(url) ?? { pattern: patternOf(url), verbs: new Set<string>() };
    for (const method of typeof methods === 'string' ? [methods] : methods) known.verbs.add(method);
    this.#verbs.set(url, known);
  }

  /** Whether a route is exactly this path, under any verb. */
  isLiteral(path: string): boolean {
    return this.#verbs.has(path);
  }

  /** Verbs of the path, sorted; empty for an unknown path. An exact route takes precedence over parameters. */
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
