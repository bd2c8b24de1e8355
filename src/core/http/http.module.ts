import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { HealthController } from '../health/health.controller';
import { Readiness } from '../health/readiness';
import { MetricsController } from '../metrics/metrics.controller';
import { AnsweredRequests } from './request-observer';
import { Pages } from './pages';
import { PlatformDoor, SessionDoor } from './doors';
import { ProblemFilter, Problems, RouteTable } from './problems';
import { RateLimiter } from './rate-limiter';
import { ValidationPipe } from './validation.pipe';

/** What every route has: problems, validation, pages, limits, health and metrics. Needs `Env` from a global module. */
@Global()
@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    AnsweredRequests,
    Pages,
    PlatformDoor,
    Problems,
    RateLimiter,
    Readiness,
    RouteTable,
    SessionDoor,
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useClass: ValidationPipe },
  ],
  exports: [AnsweredRequests, Pages, PlatformDoor, Problems, RateLimiter, Readiness, RouteTable, SessionDoor],
})
export class HttpModule {}
