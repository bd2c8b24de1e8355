import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, type ErrorDetails } from '../errors/domain-error';
import { describeFailure, describeUnknownRoute } from './failures';
import { Problems } from './problems';
import { RateLimiter } from './rate-limiter';
import { publicRequestId } from './request-context';
import { RouteTable } from './route-table';

/** Global filter: Nest hands it what any guard, pipe, controller or Fastify itself threw, unknown addresses included. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly log = new Logger('http');

  constructor(
    private readonly problems: Problems,
    private readonly routes: RouteTable,
    private readonly limiter: RateLimiter,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const [request, reply] = host.getArgs<[FastifyRequest, FastifyReply]>();
    if (request.is404 && !(error instanceof DomainError))
      void this.answerUnknown(request).then((details) => this.problems.send(reply, details));
    else this.answer(error, reply);
  }

  private answerUnknown(request: FastifyRequest): Promise<ErrorDetails> {
    const details = (): ErrorDetails => describeUnknownRoute(request.method, this.routes.methodsOf(request.raw.url!));
    return this.limiter.spendOpen(request).then(details, describeFailure);
  }

  private answer(error: unknown, reply: FastifyReply): void {
    const details = describeFailure(error);
    if (details.kind === 'internal' || details.kind === 'unavailable') {
      this.log.error({ msg: 'request failed', request_id: publicRequestId(reply), code: details.code, err: error });
    }
    // Half a body is out already: only a cut connection tells the client that it is not whole.
    if (reply.raw.headersSent) reply.raw.destroy();
    else this.problems.send(reply, details);
  }
}
