/** Markdown that names a user without notifying them. */
export function silentMention({ userId, fullName }: { readonly userId: number; readonly fullName: string }): string {
  return `@_**${fullName}|${userId}**`;
}
