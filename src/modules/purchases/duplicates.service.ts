import { Injectable } from '@nestjs/common';
import { ReadPipeline } from '../../core/database/database.module';
import { lowestIdAt } from '../../core/http/ids';
import { OPERATIONS, type OrderOfCaller } from './purchase-draft.batch';
import { LikelyDuplicate } from './purchases.errors';

const WINDOW_MS = 2 * 60_000;

const SELECT_TWIN = {
  name: 'select_likely_duplicate',
  text: `SELECT t.id FROM transactions t JOIN purchases p USING (account_id, livemode, id)
    WHERE t.account_id = $1 AND t.livemode = $2 AND t.recipient = $3 AND t.id >= $4 AND t.type = $5 AND t.amount = $6 AND p.variant IS NOT DISTINCT FROM $7
      AND t.status NOT IN ('failed', 'cancelled', 'reversed') ORDER BY t.id DESC LIMIT 1`,
};

/** Stops the second of two purchases that look alike: an impatient finger, or a retry without a key. */
@Injectable()
export class DuplicatesService {
  /** Being accepted right now, by this process: not in the table yet. */
  private readonly underWay = new Set<string>();

  constructor(private readonly reads: ReadPipeline) {}

  /**
   * Runs `accept`, unless the same was bought within two minutes: then throws `LikelyDuplicate`. A purchase with a key or
   * a reference of its own, or `allowDuplicate`, is never stopped.
   */
  async guard<T>({ caller, order, request: { key } }: OrderOfCaller, accept: () => Promise<T>): Promise<T> {
    if (key !== null || order.reference !== null || order.allowDuplicate) return accept();
    const { accountId, livemode } = caller;
    const { product, recipient, amount, variant } = order;
    const twin = [accountId, livemode, product, recipient, amount, variant].join('\n');
    if (this.underWay.has(twin)) throw new LikelyDuplicate(null);
    this.underWay.add(twin);
    try {
      const since = lowestIdAt(new Date(Date.now() - WINDOW_MS));
      const { rows } = await this.reads.query<{ id: string }>(SELECT_TWIN, [accountId, livemode, recipient, since, OPERATIONS[product], amount, variant]);
      if (rows[0]) throw new LikelyDuplicate(rows[0].id);
      return await accept();
    } finally {
      this.underWay.delete(twin);
    }
  }
}
