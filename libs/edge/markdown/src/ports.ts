/** Typesets formulas: KaTeX, or what is called like it. */
export interface Formulas {
  renderToString(tex: string, options: Readonly<Record<string, unknown>>): string;
}

/** What the renderer takes from where it runs: `node.ts` provides it in Node, and a page after it has loaded it. */
export interface Ports {
  /** Undefined while there is no typesetter: formulas are shown as source. */
  formulas(): Formulas | undefined;
  /** Whether code in this language of highlight.js is coloured; its modules are there then. */
  colours(language: string): boolean;
  /**
   * A module of highlight.js, by its path in `highlight.js/lib`: `core`, or `languages/…`.
   * @throws Error for one that is not there: pieces of it in code of another language are text
   */
  highlighting(path: string): unknown;
}

let provided: Ports = {
  formulas: () => undefined,
  colours: () => false,
  highlighting: (path) => {
    throw new Error(`Nobody has provided ${path}.`);
  },
};

/** Replaces the ports. */
export function providePorts(ports: Ports): void {
  provided = ports;
}

export function ports(): Ports {
  return provided;
}
