import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/**
 * The documentation's pages and scripts. They come from a library that is loaded at the first request, when the server takes no more
 * routes, so they have a router of their own, which no socket reaches.
 */
export async function createDocsPages(
  library: typeof SwaggerModule,
  path: string,
  title: string,
  document: OpenAPIObject,
): Promise<FastifyInstance> {
  const adapter = new FastifyAdapter();
  const app = { getHttpAdapter: () => adapter } as unknown as INestApplication;
  library.setup(path, app, document, { raw: false, customSiteTitle: title });
  const pages = adapter.getInstance<FastifyInstance>();
  await pages.ready();
  return pages;
}
