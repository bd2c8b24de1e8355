import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Cells } from './cells/cells';
import { ControlCell } from './cells/control-cell';
import { Forwarding } from './cells/forwarding';
import { Clock, Rewinds, Wakers } from './clock/clock';
import { ShownTimes } from './clock/shown-times';
import { Env } from './config/env';
import { CannotStart } from './errors/cannot-start';
import { dataSourceOptions, requireSession } from './database/options';
import { MetricReads } from './database/metric-reads';
import { Partitions } from './database/partitions';
import { ReadPipeline } from './database/pipeline';
import { patience, UnitOfWork } from './database/unit-of-work';
import { ExtensionRegistry } from './extension/extension-registry';
import { Extensions } from './extension/extensions';
import { HookJobs, HookRuns, HOOKS_QUEUE } from './extension/hook-jobs';
import { PointRunner } from './extension/point-runner';
import { HealthController } from './health/health.controller';
import { Readiness } from './health/readiness';
import { LargeBodyDoor, PlatformDoor, SessionDoor } from './http/doors';
import { Pages } from './http/pages';
import { ProblemFilter, Problems, RouteTable } from './http/problems';
import { RateLimiter } from './http/rate-limiter';
import { AnsweredRequests } from './http/request-observer';
import { ValidationPipe } from './http/validation.pipe';
import { Idempotency } from './idempotency/idempotency';
import { ResendController } from './idempotency/resend.controller';
import { MailSender } from './mail/mail-sender.service';
import { MailsService } from './mail/mails.service';
import { MetricsController } from './metrics/metrics.controller';
import { EventFeed, EventLog } from './outbox/event-log';
import { EvictionPolicy } from './queue/eviction-policy';
import { queueOptions } from './queue/queue-options';
import { QueueCanaries, QueueWorkers } from './queue/queue-workers';
import { RECURRING_QUEUE, RecurringJobs, RecurringProcessor, RecurringSchedules } from './queue/recurring-jobs';
import { RequestLog } from './request-log/request-log';
import { RetiredCalls } from './request-log/retired-calls';
import { Endings } from './resources/endings';
import { Resources } from './resources/resources';
import { requireKeyOfAll } from './secrets/rotation';
import { SecretBox } from './secrets/secret-box';

/** The pool of the database. `AppModule` lists it before all that uses it, so that it is closed after them. */
export const DATABASE_POOL = TypeOrmModule.forRootAsync({
  inject: [Env],
  useFactory: (env: Env) => ({
    ...dataSourceOptions(env),
    autoLoadEntities: true,
    retryAttempts: 20,
    retryDelay: 500,
    toRetry: (error: unknown) => CannotStart.of(error) === null,
  }),
});

/** Queues, on Redis or on PostgreSQL. Workers run where `WORKER_IN_API` is set; other processes only add jobs. */
export const QUEUES = BullModule.forRootAsync({
  // A queue tries PostgreSQL once and stays dead if that fails: the data source waits for the server before it.
  inject: [Env, DataSource],
  useFactory: queueOptions,
  extraOptions: { manualRegistration: true },
});

const SHARED = [
  AnsweredRequests,
  Cells,
  Clock,
  ControlCell,
  Endings,
  EventFeed,
  EventLog,
  EvictionPolicy,
  ExtensionRegistry,
  Extensions,
  Forwarding,
  Idempotency,
  LargeBodyDoor,
  MailsService,
  MetricReads,
  Pages,
  PlatformDoor,
  PointRunner,
  Problems,
  RateLimiter,
  ReadPipeline,
  Readiness,
  RequestLog,
  Resources,
  RetiredCalls,
  Rewinds,
  RouteTable,
  SecretBox,
  SessionDoor,
  ShownTimes,
  UnitOfWork,
  Wakers,
];

const OWN = [
  HookJobs,
  HookRuns,
  MailSender,
  Partitions,
  QueueCanaries,
  QueueWorkers,
  RecurringJobs,
  RecurringProcessor,
  RecurringSchedules,
  { provide: APP_FILTER, useClass: ProblemFilter },
  { provide: APP_PIPE, useClass: ValidationPipe },
];

/** What every module may use: database, queues, routes, extensions. All that it exports is global. */
@Global()
@Module({
  imports: [DiscoveryModule, QUEUES, BullModule.registerQueue({ name: RECURRING_QUEUE }, { name: HOOKS_QUEUE })],
  controllers: [HealthController, MetricsController, ResendController],
  providers: [...SHARED, ...OWN],
  exports: SHARED,
})
export class CoreModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly box: SecretBox,
    private readonly dataSource: DataSource,
    private readonly reads: ReadPipeline,
    env: Env,
  ) {
    patience.ms = env.PATIENCE_MS;
  }

  async onModuleInit(): Promise<void> {
    await requireKeyOfAll(this.dataSource, this.box);
    await requireSession(this.dataSource);
  }

  /** After the hooks of its providers: observers that are still told may read. */
  onApplicationShutdown(): Promise<void> {
    return this.reads.end();
  }
}
