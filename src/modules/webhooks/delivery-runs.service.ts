import { Injectable } from '@nestjs/common';
import { timeOf } from '../../core/http/ids';
import type { DeliveryJob } from './deliveries.types';
import { DeliveryAttempts } from './delivery-attempts.service';
import { type Claimed, DeliveryClaims } from './delivery-claims.service';
import { countAttempt, measureFirst } from './delivery-metrics.service';
import { DeliveryResults } from './delivery-results.service';
import { DeliverySlots } from './delivery-slots.service';
import { outcomeOf } from './outcome.batch';
import type { Attempted } from './webhooks.types';

/** Carries out jobs of deliveries: at least one post for each attempt, as a rule exactly one. */
@Injectable()
export class DeliveryRuns {
  constructor(
    private readonly slots: DeliverySlots,
    private readonly claims: DeliveryClaims,
    private readonly attempts: DeliveryAttempts,
    private readonly results: DeliveryResults,
  ) {}

  /** 0 when nothing is left to do; else milliseconds after which the job should come again: its endpoint has enough to do. */
  async run(job: DeliveryJob): Promise<number> {
    const waitMs = this.slots.take(job);
    if (waitMs > 0) return waitMs;
    let attempted: Attempted | null = null;
    try {
      const claimed = await this.claims.claim(job);
      if (claimed === null) return 0;
      this.slots.learn(job.endpointId, claimed);
      if (isOff(claimed))
        await this.results.record({ claimed, attempted, status: 'disabled', nextAttemptAt: null, at: nowOf(claimed) });
      else attempted = await this.attempt(claimed);
      return 0;
    } finally {
      this.slots.giveBack(job, attempted);
    }
  }

  private async attempt(claimed: Claimed): Promise<Attempted> {
    if (claimed.attempts === 0 && !claimed.isReplay)
      measureFirst(claimed.livemode, Date.now() - timeOf(claimed.eventId).getTime());
    const attempted = await this.attempts.post(claimed);
    const at = nowOf(claimed);
    const outcome = outcomeOf(attempted, claimed.attempts + 1, at);
    await this.results.record({ claimed, attempted, at, ...outcome });
    countAttempt(claimed.livemode, attempted.code, outcome.status);
    return attempted;
  }
}

/** A replay goes to a disabled endpoint too: somebody asked for it. */
const isOff = ({ deletedAt, status, isReplay }: Claimed): boolean =>
  deletedAt !== null || (status === 'disabled' && !isReplay);

const nowOf = ({ offsetMs }: Claimed): Date => new Date(Date.now() + Number(offsetMs));
