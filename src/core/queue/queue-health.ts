import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Queue } from 'bullmq';
import { Readiness } from '../health/readiness';
import { provideQueueDepths } from '../metrics/metrics';

/** Tells readiness whether the queues answer, and metrics how long they are. */
@Injectable()
export class QueueHealth implements OnModuleInit {
  private readonly log = new Logger('queue');
  private queues: Queue[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.queues = this.discovery
      .getProviders()
      .map(({ instance }) => instance as unknown)
      .filter((instance) => instance instanceof Queue);
    for (const queue of this.queues) queue.on('error', ({ message }) => this.log.warn({ queue: queue.name, message }));
    this.readiness.watch('queue', () => this.check());
    provideQueueDepths(() => this.depths());
  }

  /** Throws, or hangs, when the queues are away: the cheapest question that they answer. */
  async check(): Promise<void> {
    await Promise.all(this.queues.map((queue) => queue.isPaused()));
  }

  private async depths() {
    const counts = await Promise.all(
      this.queues.map((queue) => queue.getJobCounts('waiting', 'active', 'delayed', 'failed')),
    );
    return this.queues.flatMap(({ name }, i) =>
      Object.entries(counts[i]!).map(([state, jobs]) => ({ labels: { queue: name, state }, value: jobs })),
    );
  }
}
