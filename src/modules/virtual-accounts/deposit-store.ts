import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock, Rewinds } from '../../core/clock/clock';
import { bulkInsert, type Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { asChangedElsewhere, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { newIdOf } from '../../core/http/ids';
import { eventWrite, NO_ORIGIN } from '../../core/outbox/outbox';
import { Requeries } from '../../providers/requeries';
import { DepositDto } from './deposit.dto';
import { assertDepositTransition, Deposit, type DepositStatus } from './deposit.entity';
import type { VirtualAccount } from './virtual-account.entity';
import type { Arrival, ConfirmResult } from './virtual-accounts.provider';

/** A changed deposit. A step is about the version that it read: of two that read the same one, one credits. */
const depositChange = rows(Deposit).update({
  name: 'update_deposits',
  change: [
    'status',
    'amount',
    'currency',
    'payer',
    'providerFee',
    'sessionId',
    'arrivedAt',
    'walletId',
    'transactionId',
    'resolution',
    'review',
    'reviews',
    'nextCheckAt',
    'checks',
    'version',
    'updatedAt',
  ],
  was: ['version'],
});

const insertCheck = bulkInsert('deposit_checks', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  deposit_id: 'uuid',
  provider: 'text',
  call: 'text',
  outcome: 'text',
  code: 'text?',
  amount: 'bigint?',
  currency: 'text?',
});

/** Who told of an arrival. */
export type Teller = 'callback' | 'list';

type Said = ConfirmResult | ({ readonly outcome: 'told' } & Arrival);

/** What a provider said of a deposit. */
const checkWrite = (
  { accountId, livemode, id, provider }: Pick<Deposit, 'accountId' | 'livemode' | 'id' | 'provider'>,
  call: Teller | 'find',
  said: Said,
): Write =>
  insertCheck.row({
    account_id: accountId,
    livemode,
    id: newIdOf(accountId),
    deposit_id: id,
    provider,
    call,
    outcome: said.outcome,
    code: 'code' in said ? said.code : null,
    amount: 'amount' in said ? said.amount : null,
    currency: 'amount' in said ? said.currency : null,
  });

/** One row for each transfer, however often and by whomever it is told of, and by many at once. */
const NOTE = `
  INSERT INTO deposits (account_id, livemode, id, virtual_account_id, provider, provider_reference, told_amount,
    told_currency, status, reviews, next_check_at, checks, version, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'received', 0, $9, 0, 1, now())
  ON CONFLICT ON CONSTRAINT deposits_by_provider_reference DO NOTHING RETURNING id`;

/**
 * Has a deposit looked at now, whatever becomes of whoever says so: a step on what was read before fails, and looks
 * again.
 */
const MAKE_DUE = `
  UPDATE deposits SET next_check_at = least(coalesce(next_check_at, $5), $5), version = version + 1
   WHERE account_id = $1 AND livemode = $2 AND provider = $3 AND provider_reference = $4 RETURNING id`;

/** Reads deposits, and stores their steps. */
@Injectable()
export class DepositStore {
  private readonly log = new Logger('deposits');

  constructor(
    @InjectRepository(Deposit) private readonly deposits: Repository<Deposit>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly rewinds: Rewinds,
    private readonly requeries: Requeries,
  ) {}

  /** Called once, by whoever looks at what is due. */
  include(look: (key: Key) => Promise<unknown>): void {
    this.rewinds.include({ table: 'deposits', columns: ['next_check_at'] });
    this.requeries.include({ table: 'deposits', look });
  }

  /** The account's present. */
  now(owner: Pick<Key, 'accountId' | 'livemode'>): Promise<Date> {
    return this.clock.now(owner);
  }

  /** Throws `NotFound`. */
  async load({ accountId, livemode, id }: Key): Promise<Deposit> {
    return found(await this.deposits.findOneBy({ accountId, livemode, id }), 'deposit');
  }

  /**
   * Keeps what somebody told of a transfer to an account, and that it must be looked at. What was told first stays as
   * it was told. Null: a list tells of what was known.
   */
  async note(account: Readonly<VirtualAccount>, arrival: Arrival, teller: Teller): Promise<Key | null> {
    const { accountId, livemode, id: virtualAccountId, provider } = account;
    const now = await this.now(account);
    const { providerReference, amount, currency } = arrival;
    return this.unitOfWork.run(async (tx) => {
      const told = [accountId, livemode, newIdOf(accountId), virtualAccountId, provider, providerReference];
      const made: { id: string }[] = await tx.query(NOTE, [...told, amount.toString(), currency, now]);
      if (made.length === 0 && teller === 'list') return null;
      const [known]: [{ id: string }[], number] =
        made.length > 0 ? [made, 1] : await tx.query(MAKE_DUE, [accountId, livemode, provider, providerReference, now]);
      const key = { accountId, livemode, id: known[0]!.id };
      await this.unitOfWork.write(tx, [checkWrite({ ...key, provider }, teller, { outcome: 'told', ...arrival })]);
      return key;
    });
  }

  /** The row of a step, and the deposit after it. */
  changed(before: Readonly<Deposit>, patch: Partial<Deposit>, isReview = false): { after: Deposit; write: Write } {
    const after = { ...before, updatedAt: new Date(), ...patch, version: before.version + 1 };
    if (after.status !== before.status) assertDepositTransition(before.status, after.status, isReview);
    return { after, write: depositChange(after, before) };
  }

  /** A step that moves no money, with rows that go with it. Throws `ChangedElsewhere`. */
  async step(
    before: Readonly<Deposit>,
    patch: Partial<Deposit>,
    { more = [], isReview = false }: { more?: readonly Write[]; isReview?: boolean } = {},
  ): Promise<Deposit> {
    const { after, write } = this.changed(before, patch, isReview);
    const isReturned = after.status === 'returned' && before.status !== 'returned';
    const isFlagged = after.review !== null && before.review === null;
    if (isFlagged) this.log.error({ message: 'a deposit needs a person', deposit: before.id, reason: after.review });
    const events = [
      ...(isReturned ? [depositEvent(after, 'returned', before.status)] : []),
      ...(isFlagged ? [depositEvent(after, 'needs_review', before.status)] : []),
    ];
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, [write, ...events, ...more]));
    } catch (error) {
      throw asChangedElsewhere(error);
    }
    return after;
  }

  /** Keeps what the provider answered. */
  async answered(deposit: Readonly<Deposit>, said: ConfirmResult): Promise<void> {
    await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, [checkWrite(deposit, 'find', said)]));
  }
}

/** `deposit.<what>`, with the deposit as it stands then; `previous`: its status before. */
export function depositEvent(
  deposit: Readonly<Deposit>,
  what: 'received' | 'needs_review' | 'returned',
  previous: DepositStatus,
): Write {
  const { accountId, livemode, id } = deposit;
  return eventWrite({
    accountId,
    livemode,
    type: `deposit.${what}`,
    objectType: 'dep',
    objectId: id,
    snapshot: { ...DepositDto.of(deposit), previous_status: previous },
    origin: NO_ORIGIN,
  });
}
