import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, durationMs } from '../../../core/clock/clock';
import { Env } from '../../../core/config/env';
import { DomainError } from '../../../core/errors/domain-error';
import type { Caller, Tenant } from '../../../core/http/caller';
import { decodeId, encodeId, HIGHEST_ID, newIdOf, timeOf } from '../../../core/http/ids';
import type { Made, RequestClaim } from '../../../core/idempotency/claim';
import { Idempotency } from '../../../core/idempotency/idempotency';
import type { CallbackRequest } from '../../../providers/answers';
import { SandboxSignature } from '../../../providers/sandbox-signature';
import { accountReferenceOf, keyOfAccountReference } from '../bank-client';
import { DepositReads } from '../deposit-reads';
import { DepositRun } from '../deposit-run';
import type { VirtualAccount, VirtualAccountStatus } from '../virtual-account.entity';
import {
  type AccountOrder,
  type Arrival,
  type ArrivalCallback,
  type CloseResult,
  type ConfirmResult,
  type ListQuestion,
  type ListResult,
  OffersVirtualAccounts,
  type OpenResult,
  type TransferQuestion,
  type VirtualAccountProvider,
} from '../virtual-accounts.provider';
import table from './bank.json';

const NAME = 'sandbox';
const PAGE_ROWS = 500;
const REPORT_AFTER = '24 hours';

/** What the label of an account does to its opening. */
export interface SandboxAccountLabel {
  readonly label: string;
  readonly description: string;
  readonly answer: 'opened' | 'refused';
  readonly delay: string;
  /** How the account ends up. */
  readonly status: VirtualAccountStatus;
}

/** What the last name of a payer does to a transfer. */
export interface SandboxPayer {
  readonly last_name: string;
  readonly description: string;
  readonly callbacks: number;
  /** By the account's clock, until the bank has booked it. */
  readonly delay: string;
  /** Minor units that the callback tells of beside the amount. */
  readonly surplus?: number;
  /** The bank knows nothing of it. */
  readonly isUnknown?: boolean;
  /** By the account's clock, until it is as `final` says. */
  readonly seconds: number;
  /** How the deposit ends up. */
  readonly final: { readonly status: string; readonly needs_review: boolean };
}

/** The bank behaves by it, the scenarios list it, and a test walks it. */
export const SANDBOX_BANK = table as {
  readonly accounts: readonly SandboxAccountLabel[];
  readonly payers: readonly SandboxPayer[];
};

const HONEST: Pick<SandboxPayer, 'callbacks' | 'delay' | 'surplus' | 'isUnknown'> = { callbacks: 1, delay: '0s' };

const lastNameOf = (name: string): string => name.trim().split(/\s+/).at(-1)!.toLowerCase();

/** Everybody else's transfer arrives, and the bank says so. */
const payerOf = (name: string) =>
  SANDBOX_BANK.payers.find(({ last_name: last }) => last.toLowerCase() === lastNameOf(name)) ?? HONEST;

const digitsOf = (text: string, count: number): string =>
  (BigInt(`0x${createHash('sha256').update(text).digest('hex')}`) % 10n ** BigInt(count))
    .toString()
    .padStart(count, '0');

interface TransferRow {
  readonly account_id: string;
  readonly id: string;
  readonly virtual_account_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly payer_name: string;
  readonly payer_number: string;
  readonly arrived_at: Date;
  readonly returned_at: Date | null;
}

/** A transfer that somebody pretended. */
export interface SandboxTransfer {
  readonly reference: string;
  readonly sessionId: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly payerName: string;
  /** What came of it here so far; null: nobody told us of it. */
  readonly depositId: string | null;
  readonly madeAt: Date;
}

const ADD = `
  INSERT INTO sandbox_bank_transfers (account_id, id, virtual_account_id, amount, currency, payer_name, payer_number,
    arrived_at, request_key) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const SELECT = `SELECT * FROM sandbox_bank_transfers WHERE account_id = $1 AND id = $2`;
const SELECT_BY_KEY = `SELECT * FROM sandbox_bank_transfers WHERE account_id = $1 AND request_key = $2`;
const GIVE_BACK = `
  UPDATE sandbox_bank_transfers SET returned_at = $3 WHERE account_id = $1 AND id = $2 AND returned_at IS NULL`;
/** The list of a day is made when the day is over, by the clock of whose transfers they are. Newest first. */
const SELECT_LIST = `
  SELECT t.* FROM sandbox_bank_transfers t LEFT JOIN test_clocks c ON c.account_id = t.account_id
   WHERE ($1::uuid IS NULL OR t.account_id = $1) AND t.arrived_at >= $2 AND t.id < $3
     AND t.arrived_at <= now() + coalesce(c.offset_ms, 0) * interval '1 millisecond' - interval '${REPORT_AFTER}'
   ORDER BY t.id DESC LIMIT ${PAGE_ROWS}`;

/** The account has no number that somebody could pay into. */
class NoNumber extends DomainError {
  constructor({ id, status }: Readonly<VirtualAccount>) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('vac', id)} is ${status}: it has no number to pay into.`,
      resourceId: encodeId('vac', id),
    });
  }
}

const referenceOf = (id: string): string => `sbx_${encodeId('dep', id).slice('dep_'.length)}`;
const idOf = (reference: string): string | null => decodeId('dep', reference.replace(/^sbx_/, 'dep_'));
const sessionOf = (id: string): string => digitsOf(`session/${id}`, 30);

const arrivalOf = (row: TransferRow): Arrival => ({
  providerReference: referenceOf(row.id),
  account: accountReferenceOf({ accountId: row.account_id, id: row.virtual_account_id }),
  amount: BigInt(row.amount),
  currency: row.currency,
});

/**
 * The world behind the sandbox's bank: transfers that people pretended. Our side never looks in: it asks, and hears
 * callbacks as a real bank sends them.
 */
@Injectable()
export class SandboxTransferBank {
  private readonly signature: SandboxSignature;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly run: DepositRun,
    private readonly reads: DepositReads,
    env: Env,
  ) {
    this.signature = new SandboxSignature('duka/sandbox-banks/v1', env);
  }

  /**
   * A payer pays into an account, whatever its state. The bank tells of it as the payer's name says. `amount`: minor
   * units. Throws `NoNumber`, `IdempotencyKeyReused`.
   */
  async pay(
    caller: Caller,
    account: VirtualAccount,
    { amount, payerName }: { readonly amount: bigint; readonly payerName: string },
    request: RequestClaim,
  ): Promise<Made<SandboxTransfer>> {
    if (account.accountNumber === null) throw new NoNumber(account);
    const { accountId } = caller;
    const id = newIdOf(accountId);
    const claim = { accountId, livemode: false, ...request, reference: null } as const;
    const arrivedAt = await this.clock.agreedNow(caller);
    const replay = await this.idempotency.once({ ...claim, resource: 'vac', resourceId: account.id }, async (tx) => {
      const payer = [payerName, digitsOf(payerName, 10)];
      await tx.query(ADD, [accountId, id, account.id, amount, account.currency, ...payer, arrivedAt, request.key]);
    });
    const row = replay === null ? await this.find(accountId, id) : await this.findByKey(accountId, request.key!);
    // What a process that dies here did not tell is told by the list of the day.
    if (replay === null) for (let i = 0; i < payerOf(payerName).callbacks; i++) await this.call(row!);
    return { made: await this.shown(row!), replayedBy: replay?.by ?? null };
  }

  /** A callback as the bank sends it. */
  callback({ providerReference: reference, account, amount, currency }: Arrival): CallbackRequest {
    return this.signature.sign({ event: 'transfer', reference, account, amount: `${amount}`, currency });
  }

  verify(callback: CallbackRequest): ArrivalCallback {
    if (!this.signature.isOn(callback)) return { outcome: 'forged' };
    const { event, reference, account, amount, currency } = JSON.parse(callback.body.toString()) as Record<
      string,
      string
    >;
    if (event !== 'transfer') return { outcome: 'other' };
    const arrival = { providerReference: reference!, account: account!, amount: BigInt(amount!), currency: currency! };
    return { outcome: 'genuine', arrival };
  }

  async confirm({ providerReference, accountId }: TransferQuestion): Promise<ConfirmResult> {
    const id = idOf(providerReference);
    const row = id && (await this.find(accountId, id));
    if (!row) return { outcome: 'not_known' };
    const { delay, isUnknown } = payerOf(row.payer_name);
    if (isUnknown) return { outcome: 'not_known' };
    const now = await this.nowOf(accountId);
    if (row.arrived_at.getTime() + durationMs(delay)! > now.getTime()) return { outcome: 'awaiting' };
    return {
      outcome: row.returned_at === null ? 'received' : 'returned',
      ...arrivalOf(row),
      payer: { name: row.payer_name, bank: 'Sandbox Bank', accountNumber: row.payer_number },
      sessionId: sessionOf(row.id),
      arrivedAt: row.arrived_at,
    };
  }

  async list({ accountId, since, cursor }: ListQuestion): Promise<ListResult> {
    const rows: TransferRow[] = await this.dataSource.query(SELECT_LIST, [accountId, since, cursor ?? HIGHEST_ID]);
    const known = rows.filter(({ payer_name: name }) => !payerOf(name).isUnknown);
    return {
      outcome: 'listed',
      arrivals: known.map(arrivalOf),
      next: rows.length < PAGE_ROWS ? null : rows.at(-1)!.id,
    };
  }

  /** Once, however often it is asked. */
  async giveBack({ providerReference, accountId }: TransferQuestion): Promise<void> {
    const now = await this.nowOf(accountId);
    await this.dataSource.query(GIVE_BACK, [accountId, idOf(providerReference), now]);
  }

  /** Whether the bank has opened an account that it was asked for: by its label, some time after it was asked first. */
  async opened({ reference, accountId, label }: AccountOrder): Promise<'opened' | 'refused' | null> {
    const scenario = SANDBOX_BANK.accounts.find((one) => one.label === label);
    if (scenario === undefined) return 'opened';
    const { id } = keyOfAccountReference(reference)!;
    const [now, times] = await Promise.all([this.nowOf(accountId), this.clock.times({ accountId, livemode: false })]);
    const asked = times?.shown(timeOf(id)) ?? timeOf(id);
    return asked.getTime() + durationMs(scenario.delay)! > now.getTime() ? null : scenario.answer;
  }

  private nowOf(accountId: string): Promise<Date> {
    return this.clock.agreedNow({ accountId, livemode: false });
  }

  private async call(row: TransferRow): Promise<void> {
    const arrival = arrivalOf(row);
    const told = { ...arrival, amount: arrival.amount + BigInt(payerOf(row.payer_name).surplus ?? 0) };
    await this.run.receive(NAME, this.callback(told));
  }

  private async shown(row: TransferRow): Promise<SandboxTransfer> {
    const tenant: Tenant = { accountId: row.account_id, livemode: false };
    const deposit = await this.reads.findBy(tenant, NAME, referenceOf(row.id));
    return {
      reference: referenceOf(row.id),
      sessionId: sessionOf(row.id),
      amount: BigInt(row.amount),
      currency: row.currency,
      payerName: row.payer_name,
      depositId: deposit && deposit.id,
      madeAt: timeOf(row.id),
    };
  }

  private async find(accountId: string, id: string): Promise<TransferRow | null> {
    const [row]: TransferRow[] = await this.dataSource.query(SELECT, [accountId, id]);
    return row ?? null;
  }

  private async findByKey(accountId: string, key: string): Promise<TransferRow | null> {
    const [row]: TransferRow[] = await this.dataSource.query(SELECT_BY_KEY, [accountId, key]);
    return row ?? null;
  }
}

/** The bank of test mode. */
@Injectable()
@OffersVirtualAccounts({ name: NAME, mode: 'test' })
export class SandboxVirtualAccounts implements VirtualAccountProvider {
  constructor(private readonly bank: SandboxTransferBank) {}

  async open(order: AccountOrder): Promise<OpenResult> {
    if (order.livemode) throw new Error('the sandbox collects nothing real');
    const answer = await this.bank.opened(order);
    if (answer === null) return { outcome: 'unknown', code: 'timeout' };
    if (answer === 'refused')
      return {
        outcome: 'not_opened',
        code: 'account_not_opened',
        message: 'The bank opens no account of this name.',
        recovery: 'caller_must_fix',
      };
    return {
      outcome: 'opened',
      providerReference: `sbx_${digitsOf(order.reference, 20)}`,
      bank: { code: '999', name: 'Sandbox Bank' },
      accountNumber: `99${digitsOf(order.reference, 8)}`,
      accountName: order.label === null ? 'Duka' : `Duka / ${order.label}`,
    };
  }

  /** Transfers that are on their way arrive all the same. */
  async close(): Promise<CloseResult> {
    return { outcome: 'closed' };
  }

  find(transfer: TransferQuestion): Promise<ConfirmResult> {
    return this.bank.confirm(transfer);
  }

  list(question: ListQuestion): Promise<ListResult> {
    return this.bank.list(question);
  }

  async giveBack(transfer: TransferQuestion): Promise<{ outcome: 'accepted' }> {
    await this.bank.giveBack(transfer);
    return { outcome: 'accepted' };
  }

  verify(callback: CallbackRequest): ArrivalCallback {
    return this.bank.verify(callback);
  }
}
