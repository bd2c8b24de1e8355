import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock, Rewinds } from '../../../core/clock/clock';
import { unnested, type Write } from '../../../core/database/bulk';
import { retryChanged } from '../../../core/database/unit-of-work';
import { NotFound } from '../../../core/errors/domain-error';
import type { Key } from '../../../core/http/caller';
import { WorkUnderWay } from '../../../core/process/work-under-way';
import { Endings, type WaitForEnd } from '../../../core/resources/endings';
import { ABANDONED_AFTER_MS, checkDelayMs, needsPerson } from '../../../providers/client';
import { Requeries } from '../../../providers/requeries';
import type { DisputeResult, DisputeStanding, FindDisputeResult } from '../card-issuer';
import { CardTransactionsService } from '../card-transactions.service';
import { callWrite, DUE_NOW, later } from '../cards.service';
import { IssuerClient } from '../issuers/issuer-client';
import { type Dispute, isResolved } from './dispute.entity';
import { DisputeSettlement } from './dispute-settlement';
import { DisputeStore } from './dispute-store';

/** Only an alarm: what the issuer says later still counts. */
const NO_ANSWER = 'no answer after all questions';

/** How often an issuer is asked how a dispute stands that it has taken up: it takes weeks, and tells by itself. */
const STANDING_EVERY_MS = 24 * 3_600_000;

/** Of these disputes, those that nobody waits for: the issuer has them, or decided. */
const SELECT_TAKEN_UP = {
  name: 'select_disputes_taken_up',
  text: `SELECT d.id FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v
    JOIN disputes d USING (account_id, livemode, id)
    WHERE d.status <> 'open' AND (d.withdrawal IS DISTINCT FROM 'requested' OR d.resolved_at IS NOT NULL)`,
};

/** Somebody waits for the issuer: to take the dispute up, or to let it go. */
export const isAsked = ({ status, withdrawal }: Readonly<Dispute>): boolean =>
  status === 'open' || (status === 'under_review' && withdrawal === 'requested');

/**
 * Carries disputes to their issuer, outside of any transaction, and asks again how they stand: when nobody could say,
 * and until they are resolved.
 */
@Injectable()
export class DisputeRun implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('disputes');
  private readonly underWay = new WorkUnderWay();
  private readonly waitForEnd: WaitForEnd;

  constructor(
    private readonly store: DisputeStore,
    private readonly settlement: DisputeSettlement,
    private readonly transactions: CardTransactionsService,
    private readonly issuer: IssuerClient,
    private readonly requeries: Requeries,
    private readonly rewinds: Rewinds,
    private readonly clock: Clock,
    endings: Endings,
  ) {
    this.waitForEnd = endings.of(SELECT_TAKEN_UP);
  }

  onModuleInit(): void {
    this.rewinds.include({ table: 'disputes', columns: ['next_check_at'] });
    this.rewinds.include({ table: 'sandbox_disputes', columns: ['ready_at'] });
    this.requeries.include({ table: 'disputes', look: (key) => this.look(key) });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  /** Looks at a dispute now, and waits for the issuer, at most `ms`. It goes on after that. */
  async carryOut(key: Key, ms: number): Promise<void> {
    const { accountId, livemode, id } = key;
    const ours = this.underWay.add(
      this.look(key).catch((error: unknown) => {
        this.log.error({ message: 'a dispute was left to its requery', dispute: id, err: error });
      }),
    );
    const isRunning = async () => isAsked(await this.store.load(key));
    await this.waitForEnd({ accountId, livemode, id, ms, ours, isRunning });
  }

  /** Looks at a dispute now, whenever it is due. Throws `NotFound`. */
  look(key: Key): Promise<void> {
    return retryChanged(async () => this.lookAt(await this.store.load(key)));
  }

  /** What its issuer says by itself; of what is resolved it changes nothing. Throws `NotFound`. */
  told(key: Key, cardId: string, standing: DisputeStanding): Promise<void> {
    return retryChanged(async () => {
      const dispute = await this.store.load(key);
      if (dispute.cardId !== cardId) throw new NotFound('dispute');
      if (!isResolved(dispute.status)) return this.follow(dispute, standing, []);
      if (dispute.status !== standing.outcome && standing.outcome !== 'under_review')
        this.log.error({ message: 'an issuer says more of a resolved dispute', dispute: key.id, standing });
    });
  }

  private async lookAt(dispute: Dispute): Promise<void> {
    const { status, attempts, withdrawal, review } = dispute;
    if (isResolved(status)) return;
    const isGivenUp = withdrawal === 'requested';
    if (attempts === 0) return isGivenUp ? this.letGo(dispute, []) : this.ask(dispute);
    const card = await this.transactions.requireCard(dispute, dispute.cardId);
    if (isGivenUp && status === 'under_review' && (review === null || review === NO_ANSWER)) {
      const result = await this.issuer.withdrawDispute(card, dispute);
      const row = callWrite(card, 'withdraw_dispute', result);
      if (result.outcome === 'done') return this.letGo(dispute, [row]);
      if (result.outcome === 'unknown') return this.wait(dispute, [row]);
      // Perhaps it has decided: that is what it is asked next.
      return this.rest(dispute, { withdrawal: 'refused', nextCheckAt: DUE_NOW }, [row]);
    }
    const result = await this.issuer.findDispute(card, dispute);
    const row = callWrite(card, 'find_dispute', result);
    if (result.outcome !== 'not_known') return this.follow(dispute, result, [row]);
    if (status !== 'open') return this.wait(dispute, [row]);
    if (isGivenUp) return this.letGo(dispute, [row]);
    // A person who decides must not be overtaken: nothing new is asked for then.
    if (review !== null) return this.wait(dispute, [row]);
    return this.ask(dispute, row);
  }

  /** The issuer is asked to take it up; that it is about to be is stored first. Repeated, it opens one. */
  private async ask(dispute: Dispute, ...rows: Write[]): Promise<void> {
    const [card, paid, now] = await Promise.all([
      this.transactions.requireCard(dispute, dispute.cardId),
      this.transactions.require(dispute, dispute.cardTransactionId),
      this.clock.now(dispute),
    ]);
    const patch = { attempts: dispute.attempts + 1, nextCheckAt: later(now, ABANDONED_AFTER_MS) };
    const asked = await this.settlement.step(dispute, { patch, rows });
    const result = await this.issuer.dispute(card, asked, paid);
    await this.follow(asked, result, [callWrite(card, 'dispute', result)]);
  }

  private async follow(
    dispute: Dispute,
    result: DisputeResult | Exclude<FindDisputeResult, { outcome: 'not_known' }>,
    rows: readonly Write[],
  ): Promise<void> {
    if (dispute.review !== null && dispute.review !== NO_ANSWER)
      return void (await this.settlement.step(dispute, { patch: { nextCheckAt: null }, rows }));
    const { outcome } = result;
    if (outcome === 'unknown' || outcome === 'accepted') return this.wait(dispute, rows);
    if (outcome === 'refused') {
      const { code, message, recovery } = result;
      return void (await this.settlement.end(dispute, 'lost', {
        patch: { failure: { code, message, recovery } },
        rows,
      }));
    }
    const { issuerReference } = result;
    if (outcome === 'under_review') return this.underReview(dispute, result, rows);
    if (outcome === 'won' && result.amount !== dispute.amount)
      return this.leaveToPerson(dispute, `the issuer says ${result.amount} of ${dispute.amount} is won`, rows);
    await this.settlement.end(dispute, outcome, { patch: { issuerReference }, rows });
  }

  /** It has it; and it may have credited something, once. */
  private async underReview(
    dispute: Dispute,
    { issuerReference, provisionalCredit }: Extract<DisputeStanding, { outcome: 'under_review' }>,
    rows: readonly Write[],
  ): Promise<void> {
    const before = dispute.provisionalCredit;
    const isOther = provisionalCredit !== null && before !== null && provisionalCredit !== before;
    if (isOther || (provisionalCredit ?? 0n) > dispute.amount)
      return this.leaveToPerson(dispute, `the issuer says it has credited ${provisionalCredit}`, rows);
    const isNew = dispute.status === 'open' || (provisionalCredit !== null && before === null);
    const patch = {
      issuerReference,
      checks: 0,
      review: null,
      nextCheckAt: later(await this.clock.now(dispute), STANDING_EVERY_MS),
      ...(isNew && { status: 'under_review' as const, provisionalCredit: provisionalCredit ?? before }),
    };
    const after = await this.settlement.step(dispute, { patch, ...(isNew && { what: 'under_review' }), rows });
    // Withdrawn while nobody knew whether the issuer has it.
    if (after.withdrawal === 'requested') await this.lookAt(after);
  }

  private async letGo(dispute: Dispute, rows: readonly Write[]): Promise<void> {
    await this.settlement.end(dispute, 'withdrawn', { patch: {}, rows });
  }

  private async leaveToPerson(dispute: Dispute, reason: string, rows: readonly Write[]): Promise<void> {
    await this.settlement.flag(dispute, reason, { rows });
  }

  /** Nobody can say: asked again. After the last question a person is called, once. */
  private async wait(dispute: Dispute, rows: readonly Write[]): Promise<void> {
    const checks = dispute.checks + 1;
    const nextCheckAt = later(await this.clock.now(dispute), checkDelayMs(checks - 1));
    const patch = { checks, nextCheckAt };
    if (!needsPerson(checks) || dispute.review !== null) return this.rest(dispute, patch, rows);
    await this.settlement.flag(dispute, NO_ANSWER, { patch, rows });
  }

  private async rest(dispute: Dispute, patch: Partial<Dispute>, rows: readonly Write[]): Promise<void> {
    await this.requeries.setAlarms('disputes', await this.settlement.step(dispute, { patch, rows }));
  }
}
