/**
 * The renderer for pages, which provide its ports: nothing here needs Node. A build takes `firstAtLeast` for `#kernel`, of which nothing else is
 * needed (test/web/markdown.spec.ts).
 */
export { providePorts, type Formulas, type Ports } from './ports.js';
export { normalizeContent } from './content.js';
export { render } from './render.js';
export type { Rendered, RenderWorld } from './world.js';
