import type { FastifyRequest } from 'fastify';

/**
 * The path that a request names behind the name of the route, decoded: `{realm_id}/{rest}`. The rest may be one encoded segment, as the
 * interface describes it, or several, as addresses of files are.
 */
export function pathOf({ params }: FastifyRequest): string {
  const { realm_id, path, format, '*': rest } = params as Record<string, string | undefined>;
  return [realm_id, ...(rest === undefined ? [path, format] : [rest])].filter((part) => part !== undefined).join('/');
}
