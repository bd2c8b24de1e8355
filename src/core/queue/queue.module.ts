import { BullModule } from '@nestjs/bullmq';
import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { QueueCanaries, QueueWorkers } from './queue-workers';
import { queueOptions } from './queue-options';
import { RECURRING_QUEUE, RecurringJobs, RecurringProcessor, RecurringSchedules } from './recurring-jobs';

/** Queues, on Redis or on PostgreSQL. Workers run where `WORKER_IN_API` is set; other processes only add jobs. */
@Global()
@Module({
  imports: [
    DiscoveryModule,
    BullModule.forRootAsync({
      // A queue tries PostgreSQL once and stays dead if that fails: the data source waits for the server before it.
      inject: [Env, DataSource],
      useFactory: queueOptions,
      extraOptions: { manualRegistration: true },
    }),
    BullModule.registerQueue({ name: RECURRING_QUEUE }),
  ],
  providers: [RecurringJobs, RecurringProcessor, RecurringSchedules, QueueWorkers, QueueCanaries],
})
export class QueueModule {}
