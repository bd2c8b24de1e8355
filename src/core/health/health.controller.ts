import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { DomainError } from '../errors/domain-error';
import { Public, Unlimited } from '../http/route-markers';
import { Readiness } from './readiness';

class NotReady extends DomainError {
  constructor(obstacles: readonly string[]) {
    super({
      code: 'service_unavailable',
      kind: 'unavailable',
      title: 'Service unavailable',
      detail: `Not ready: ${obstacles.join(', ')}.`,
      retryAfter: 1,
    });
  }
}

export class Health {
  @ApiProperty({ type: 'string', enum: ['ok'] })
  status: 'ok';
}

@ApiTags('Health')
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('healthz')
  @Public()
  @Unlimited()
  @ApiOperation({ operationId: 'get_health', summary: 'Is the process alive?' })
  @ApiOkResponse({ type: Health })
  alive(): Health {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  @Unlimited()
  @ApiOperation({
    operationId: 'get_readiness',
    summary: 'Can the process serve requests? 503 when a dependency is away or it is stopping.',
  })
  @ApiOkResponse({ type: Health })
  async ready(): Promise<Health> {
    const obstacles = await this.readiness.obstacles();
    if (obstacles.length > 0) throw new NotReady(obstacles);
    return { status: 'ok' };
  }
}
