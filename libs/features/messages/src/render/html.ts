import { plainHtml } from '#markdown';

/** The message's HTML. */
export function htmlOf(message: { readonly content: string; readonly rendered?: string | undefined }): string {
  return message.rendered ?? plainHtml(message.content);
}
