import type { HLJSApi, Language, LanguageFn, Mode } from 'highlight.js';
import { ports } from '../ports.js';

const instances = new Map<string, HLJSApi>();

/**
 * highlight.js with one language and the languages embedded in it. The library is loaded for the first highlighted
 * code, each language on its first use, so that start-up and memory do not pay for them.
 * Each language has a separate instance, since a grammar may delegate contents to any other registered one, guess among
 * all of them, and get the rest back: four kilobytes of HTTP took half a minute. Here an embedded piece has the
 * language that its grammar names first, and pieces within it are text.
 */
export function highlighterFor(language: string): HLJSApi {
  const known = instances.get(language);
  if (known !== undefined) return known;
  const highlighter = (ports().highlighting('core') as HLJSApi).newInstance();
  const pieces = new Set<string>();
  highlighter.registerLanguage(language, (api) => withPieces(grammarOf(language)(api), language, pieces));
  for (const piece of pieces) {
    highlighter.registerLanguage(piece, (api) => withPieces(grammarOf(piece)(api), piece));
  }
  instances.set(language, highlighter);
  return highlighter;
}

function grammarOf(language: string): LanguageFn {
  return ports().highlighting(`languages/${language}`) as LanguageFn;
}

/** Limits each mode of the grammar to at most one embedded language, and collects it; none without `pieces`. */
function withPieces(grammar: Language, language: string, pieces?: Set<string>): Language {
  const seen = new Set<unknown>();
  const open: unknown[] = [grammar];
  while (open.length > 0) {
    const mode = open.pop();
    if (!isMode(mode) || seen.has(mode)) continue;
    seen.add(mode);
    open.push(...(mode.contains ?? []), ...(mode.variants ?? []), mode.starts);
    if (mode.subLanguage === undefined) continue;
    const piece = [mode.subLanguage].flat().find((name) => name !== language && isGrammar(name));
    if (piece === undefined || pieces === undefined) delete mode.subLanguage;
    else {
      mode.subLanguage = piece;
      pieces.add(piece);
    }
  }
  return grammar;
}

function isMode(value: unknown): value is Mode {
  return typeof value === 'object' && value !== null;
}

/** Whether the highlighter has the language: some grammars name languages of other packages. */
function isGrammar(language: string): boolean {
  try {
    grammarOf(language);
    return true;
  } catch {
    return false;
  }
}
