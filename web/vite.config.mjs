// Build of the chat page. tools/build-web.mjs runs it; it is no server for development: the page is served by the api.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Engines with light-dark(), popover and native nesting. Otherwise the compiler rewrites light-dark() to variables. */
const ENGINES = ['chrome125', 'firefox125', 'safari17.5'];

/** What the page itself loads: it is asked for first. */
let loaded = [];

/** What a part of the page loads with it; the first load need not name what is there already. */
function missing(_, files, { hostType }) {
  if (hostType === 'html') loaded = files;
  return hostType === 'html' ? files : files.filter((file) => !loaded.includes(file));
}

export default defineConfig({
  root: here('.'),
  base: '/',
  configFile: false,
  publicDir: false,
  clearScreen: false,
  logLevel: 'warn',
  resolve: { alias: { '#client': here('../libs/client/src/index.ts') } },
  oxc: { jsx: { runtime: 'automatic' } },
  css: { modules: { generateScopedName: '[local]-[hash:base64:5]' } },
  build: {
    target: ENGINES,
    cssTarget: ENGINES,
    // Files with a hash in their names, which the server lets browsers keep.
    assetsDir: 'app',
    // Data URLs would need exceptions in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: missing },
    reportCompressedSize: false,
    emptyOutDir: true,
    manifest: true,
    rolldownOptions: {
      input: { index: here('index.html'), sw: here('sw.ts') },
      // The service worker is asked for by its name.
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'app/[name]-[hash:6].js'),
        // Their names are in the first load, where a hash cannot be compressed.
        chunkFileNames: 'app/[name]-[hash:6].js',
        assetFileNames: 'app/[name]-[hash:6][extname]',
      },
    },
    sourcemap: false,
  },
});
