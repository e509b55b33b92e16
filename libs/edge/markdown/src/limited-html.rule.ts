import type { StateCore, Token } from 'markdown-it';
import { byteLength, escapeText, LINE_BREAK, sourceHtml } from './html.js';
import { finishBlock } from './inline/inline-pass.rule.js';
import { HTML_BYTES_LIMIT, renderingOf } from './rendering.js';

/**
 * Finishes and writes block after block. The first one whose HTML does not fit is shown as it was written, with
 * everything after it, and mentions there notify nobody: no content grows beyond the limit, whatever it is made of.
 * Emoji, formulas and colours have limits that keep them below it, so this concerns content that is mostly tags:
 * hundreds of empty fences, or lists in lists.
 */
export function limitedHtmlRule(state: StateCore): void {
  const rendering = renderingOf(state.env);
  const lines = state.src.split('\n');
  const sourceBytes = sourceBytesFrom(lines);
  const blocks = blocksOf(state.tokens);
  let bytes = 0;
  for (const [index, block] of blocks.entries()) {
    const mark = rendering.mark();
    const html = state.md.renderer.render(finishBlock(block, state, rendering), state.md.options, state.env);
    const next = blocks[index + 1];
    bytes += byteLength(html);
    if (bytes + (next === undefined ? 0 : (sourceBytes[firstLine(next)] ?? 0)) > HTML_BYTES_LIMIT) {
      rendering.forgetSince(mark);
      const source = lines.slice(firstLine(block)).join('\n');
      rendering.text += source;
      rendering.html += sourceHtml(source);
      return;
    }
    rendering.html += html;
  }
}

/** Tokens by block of the message. */
function blocksOf(tokens: readonly Token[]): Token[][] {
  const blocks: Token[][] = [];
  for (const token of tokens) {
    const block = blocks.at(-1);
    if (block === undefined || (token.level === 0 && token.nesting >= 0)) blocks.push([token]);
    else block.push(token);
  }
  return blocks;
}

function firstLine([opening]: readonly Token[]): number {
  return opening?.map?.[0] ?? 0;
}

/** Length of the lines from each on, shown as they were written, in bytes. */
function sourceBytesFrom(lines: readonly string[]): number[] {
  const bytes = Array<number>(lines.length).fill(0);
  let sum = byteLength(sourceHtml(''));
  for (let line = lines.length - 1; line >= 0; line--) {
    sum += byteLength(escapeText(lines[line] ?? '')) + LINE_BREAK.length;
    bytes[line] = sum;
  }
  return bytes;
}
