import {
  Body,
  type CanActivate,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  Get,
  Global,
  Injectable,
  Module,
  Param,
  Post,
  Query,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Forwarding } from '../../src/core/cells/forwarding';
import type { Clock } from '../../src/core/clock/clock';
import { ShownTimes } from '../../src/core/clock/shown-times';
import { Env } from '../../src/core/config/env';
import { DomainError, type ErrorKind } from '../../src/core/errors/domain-error';
import { answer } from '../../src/core/http/answer';
import { type Caller, CurrentCaller } from '../../src/core/http/caller';
import { createHttpApp } from '../../src/core/http/configure-http';
import { LargeBodyDoor, PlatformDoor, SessionDoor } from '../../src/core/http/doors';
import { IdempotentRequest } from '../../src/core/http/idempotency-key';
import { Pages } from '../../src/core/http/pages';
import { ProblemFilter, Problems, RouteTable } from '../../src/core/http/problems';
import { RateLimiter, RateLimitGuard } from '../../src/core/http/rate-limiter';
import { AnsweredRequests } from '../../src/core/http/request-observer';
import { ValidationPipe } from '../../src/core/http/validation.pipe';
import { HealthController } from '../../src/core/health/health.controller';
import { Readiness } from '../../src/core/health/readiness';
import type { RequestClaim } from '../../src/core/idempotency/claim';
import { MetricsController } from '../../src/core/metrics/metrics.controller';
import { ThingsQuery, TransferBody } from './http-probe.dto';

const NUMBERS = Array.from({ length: 45 }, (_, index) => index);

/** A service with one route for each thing that the HTTP core does. */
@Controller('probe')
class ProbeController {
  constructor(private readonly pages: Pages) {}

  @Get('things')
  list(@CurrentCaller() caller: Caller, @Query() query: ThingsQuery) {
    const page = this.pages.open(caller, 'things', query);
    const rows = NUMBERS.slice(Number(page.after?.[0] ?? -1) + 1).slice(0, page.take);
    return page.of(
      rows,
      (number) => ({ number }),
      (number) => [String(number)],
    );
  }

  @Get('things/:id')
  one(@Param('id') id: string) {
    return { id };
  }

  @Post('transfers')
  transfer(@Body() body: TransferBody) {
    const { running, replayed, dry_run: dryRun } = body;
    return answer({ ...body, id: 'trf_1' }, { running, dryRun, replayedBy: replayed ? 'key' : null });
  }

  @Post('things/:id/freeze')
  freeze(@Param('id') id: string) {
    return { id };
  }

  @Post('claim/:id')
  claim(@IdempotentRequest() { key, fingerprint }: RequestClaim) {
    return { key, fingerprint: fingerprint.toString('hex') };
  }

  @Get('slow')
  async slow() {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { done: true };
  }

  @Get('failures/:kind')
  fail(@Param('kind') kind: ErrorKind) {
    throw new DomainError({
      kind,
      code: `because_${kind}`,
      title: 'Because',
      detail: 'Because.',
      resourceId: 'trf_1',
      retryAfter: kind === 'rate_limited' ? 3 : undefined,
    });
  }

  @Get('crash')
  crash(@Query('code') code?: string) {
    throw Object.assign(new Error('password=hunter2 at 10.0.0.1'), { code, driverError: code && { code } });
  }
}

@Injectable()
class ProbeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context
      .switchToHttp()
      .getRequest<{ id: string; caller?: Caller; headers: Record<string, string> }>();
    const [accountId, mode = 'live'] = (request.headers['x-account'] ?? '01900000-0000-7000-8000-00000000000a').split(
      ' ',
    );
    request.caller = {
      accountId: accountId!,
      livemode: mode === 'live',
      keyId: accountId!,
      scopes: null,
      requestId: request.id,
    };
    return true;
  }
}

@Global()
@Module({})
class EnvModule {
  static with(env: Env): DynamicModule {
    return { module: EnvModule, providers: [{ provide: Env, useValue: env }], exports: [Env] };
  }
}

const HTTP = [
  AnsweredRequests,
  Pages,
  PlatformDoor,
  Problems,
  RateLimiter,
  Readiness,
  { provide: Forwarding, useValue: {} },
  RouteTable,
  LargeBodyDoor,
  SessionDoor,
  { provide: APP_FILTER, useClass: ProblemFilter },
  { provide: APP_PIPE, useClass: ValidationPipe },
];

@Module({})
class ProbeModule {
  static with(env: Env): DynamicModule {
    return {
      module: ProbeModule,
      imports: [EnvModule.with(env)],
      controllers: [HealthController, MetricsController, ProbeController],
      providers: [
        ...HTTP,
        // The clock needs a database; nobody here has moved one.
        { provide: ShownTimes, useValue: new ShownTimes({ timesAtHand: () => null } as unknown as Clock) },
        { provide: APP_GUARD, useClass: ProbeGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
      ],
    };
  }
}

export const probeEnv = (settings: Partial<Env> = {}): Env =>
  Object.assign(new Env(), {
    LOG_LEVEL: 'silent',
    RATE_LIMIT_LIVE: 0,
    RATE_LIMIT_TEST: 0,
    RATE_LIMIT_OPEN: 0,
    SHUTDOWN_NOTICE_SECONDS: 0,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...settings,
  });

/** The probe service, listening on a free port. */
export async function startProbe(
  settings: Partial<Env> = {},
): Promise<{ app: NestFastifyApplication; url: string; port: number }> {
  const env = probeEnv(settings);
  const app = await createHttpApp(ProbeModule.with(env), env);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return { app, url, port: Number(new URL(url).port) };
}
