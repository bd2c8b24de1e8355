import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Header, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Env } from '../config/env';
import { DomainError, NotFound } from '../errors/domain-error';
import { isOfThisMachine } from '../http/this-machine';
import { Public, Unlimited } from '../http/route-markers';
import { measureProcess, registry, showService, tellBuild } from './metrics';

class MetricsTokenRequired extends DomainError {
  constructor() {
    super({
      code: 'metrics_token_required',
      kind: 'unauthenticated',
      title: 'Metrics token required',
      detail: 'Send the METRICS_TOKEN of the service in the header "Authorization: Bearer …".',
    });
  }
}

/** How busy the service is, is its operator's business. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly env: Env) {
    tellBuild(env.WORKER_IN_API);
    showService(env.WORKER_IN_API);
  }

  @Get()
  @Public()
  @Unlimited()
  @Header('content-type', registry.contentType)
  async show(@Req() request: FastifyRequest): Promise<string> {
    const token = this.env.METRICS_TOKEN;
    if (
      token === undefined ? !isOfThisMachine(request) : !isEqual(request.headers.authorization ?? '', `Bearer ${token}`)
    ) {
      throw token === undefined ? new NotFound('address') : new MetricsTokenRequired();
    }
    measureProcess();
    return registry.metrics();
  }
}

function isEqual(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
