import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Wakers } from '../../core/clock/wakers';
import { forEach } from '../../core/process/for-each';
import { Recurring } from '../../core/queue/recurring';
import type { CardTransactionKey, Cause } from './authorizations.types';
import { InvalidCardTransactionTransition } from './card-transactions.errors';
import { SELECT_LAPSED } from './card-transactions.queries';
import { ClearingsService } from './clearings.service';

const EVERY_MS = 10_000;
const CHUNK = 500;
const PARALLEL = 16;

/** Time is the cause; that an authorization lapses once is seen to by its state. */
const NO_CAUSE: Cause = { key: null, fingerprint: Buffer.alloc(32), message: null, requestId: null };

/** Gives back the money of authorizations that nobody cleared in time. */
@Injectable()
export class AuthorizationExpiry implements OnModuleInit {
  private readonly log = new Logger('cards');

  constructor(
    private readonly dataSource: DataSource,
    private readonly clearings: ClearingsService,
    private readonly wakers: Wakers,
  ) {}

  onModuleInit(): void {
    this.wakers.include((accountId) => this.expire(accountId));
  }

  @Recurring({ name: 'card_authorizations.expire', everyMs: EVERY_MS })
  sweep(): Promise<void> {
    return this.expire(null);
  }

  /** All that lapsed, of one account or of all. */
  private async expire(accountId: string | null): Promise<void> {
    const lapsed: CardTransactionKey[] = await this.dataSource.query(SELECT_LAPSED, [accountId, CHUNK]);
    let ended = 0;
    await forEach(lapsed, PARALLEL, async (key) => {
      if (await this.expireOne(key)) ended++;
    });
    if (lapsed.length === CHUNK && ended > 0) await this.expire(accountId);
  }

  /** False: it failed, which is logged; the next sweep tries again. */
  private async expireOne(key: CardTransactionKey): Promise<boolean> {
    try {
      await this.clearings.step(key, { kind: 'expiry', amount: null }, NO_CAUSE);
    } catch (error) {
      // Otherwise the merchant was faster.
      if (!(error instanceof InvalidCardTransactionTransition)) {
        this.log.error({ message: 'an authorization could not be expired', card_transaction: key.id, err: error });
        return false;
      }
    }
    return true;
  }
}
