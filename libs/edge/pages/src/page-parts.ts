import { type Html, html, PageReply } from '#http';
import { Refusal } from '#kernel';

/** A page that says something. */
export function notePage(title: string, ...paragraphs: readonly (Html | string)[]): PageReply {
  return new PageReply(title, html`${paragraphs.map((one) => html`<p>${one}</p>`)}`);
}

/** The same for all reasons, so that a link tells nothing (rules.md §14). */
export function deadLink(): Refusal {
  return new Refusal(
    'NOT_FOUND',
    'This link is not valid, has expired, or has been used already. Please ask for a new one, or check that the whole address was copied.',
  );
}
