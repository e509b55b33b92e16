import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../hooks.js';
import type { Logger } from '../logging/logging.js';

/** Answers errors thrown by controllers. */
@Catch()
export class FailureFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    fail(this.logger, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), thrown);
  }
}
