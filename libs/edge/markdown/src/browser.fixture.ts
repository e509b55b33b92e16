// Runs in a page, where a test puts it (test/web/markdown.spec.ts).
import core from 'highlight.js/lib/core';
import css from 'highlight.js/lib/languages/css';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import xml from 'highlight.js/lib/languages/xml';
import katex from 'katex';
import { providePorts, render } from './browser.js';
import { organization } from './hostile.fixture.js';

const MODULES: Readonly<Record<string, unknown>> = {
  core,
  'languages/css': css,
  'languages/http': http,
  'languages/javascript': javascript,
  'languages/markdown': markdown,
  'languages/python': python,
  'languages/xml': xml,
};

providePorts({
  formulas: () => katex,
  colours: (language) => `languages/${language}` in MODULES,
  highlighting: (path) => {
    const module = MODULES[path];
    if (module === undefined) throw new Error(`The page has no ${path}.`);
    return module;
  },
});

export function htmlOf(sources: readonly string[]): string[] {
  return sources.map((source) => render(source, organization).html);
}
