import { ApiProperty } from '@nestjs/swagger';
import { Amount, CurrencyCode, Label, Metadata, OneOf, Reference, Text } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { DateTime, MetadataFilter, PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency, AMOUNT_MAX, displayMoney, toJsonNumber } from '../../core/money/money';
import { type AccountRecord, freezeOf } from '../accounts/accounts.service';
import { creditLeft, type Freeze, type FreezeOfAccount } from '../ledger/posting';
import { FREEZE_DIRECTIONS, type FreezeDirection } from '../../vocabulary/freezes';
import type { LedgerEntry } from '../ledger/entries.service';
import { TRANSACTION_TYPES, type TransactionType } from '../../vocabulary/products';
import {
  presentFreeze,
  type WalletHold,
  type WalletHolds,
  type WalletRecord,
  type WalletStatus,
} from './wallets.service';

const WALLET_STATUSES = ['active', 'frozen', 'closed'] as const satisfies readonly WalletStatus[];

const REASON_MAX = 200;

export class CreateWalletDto {
  @CurrencyCode()
  currency: Currency;

  @Label({ optional: true })
  label?: string | null;

  @Reference({ optional: true })
  reference?: string | null;

  @Amount({
    optional: true,
    min: 0,
    description: 'Minor units. `wallet.low_balance` tells when the available balance falls below.',
  })
  low_balance_threshold?: number | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

/** Fields that are absent stay as they are; null clears. */
export class UpdateWalletDto {
  @Label({ optional: true })
  label?: string | null;

  @Amount({
    optional: true,
    min: 0,
    description: 'Minor units. `wallet.low_balance` tells when the available balance falls below.',
  })
  low_balance_threshold?: number | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;
}

export class WalletQuery {
  @DateTime({ optional: true, description: 'Balances as they stood at this moment.' })
  at?: Date;
}

export class WalletsQuery extends PageQuery {
  @CurrencyCode({ optional: true })
  currency?: Currency;

  @OneOf(WALLET_STATUSES, { optional: true })
  status?: WalletStatus;

  @MetadataFilter()
  metadata?: Record<string, string>;
}

export class FreezeWalletDto {
  @OneOf(FREEZE_DIRECTIONS, {
    optional: true,
    description:
      '`debit`, the default: it receives but does not pay. `credit`: it pays but takes no money. `both`: neither.',
  })
  direction?: FreezeDirection | null;

  /** Why: shown with the freeze. */
  @Text(REASON_MAX, { optional: true })
  reason?: string | null;

  @DateTime({ optional: true, description: 'When it ends by itself; absent: when you unfreeze the wallet.' })
  until?: Date | null;
}

/** What keeps money from moving. */
export class WalletFreezeDto {
  @ApiProperty({ enum: ['owner', 'operator'], description: '`operator`: of the whole account, and not yours to end.' })
  by: FreezeOfAccount['by'];
  @ApiProperty({ enum: FREEZE_DIRECTIONS, description: 'Which way money does not move.' })
  direction: FreezeDirection;
  reason: string | null;
  /** It ends by itself then. */
  until: Date | null;
}

/** Minor units. */
export class BalanceDto {
  /** Can be spent; below zero where a credit line is used. @example 105000 */
  available: number;
  /** Promised to something that is under way. @example 0 */
  held: number;
  /** available + held. @example 105000 */
  ledger: number;
  /** What is left of the credit line: can be spent beyond `available`. @example 0 */
  credit_available: number;

  static of({ available, held, creditLimit, status }: WalletRecord): BalanceDto {
    return {
      available: toJsonNumber(available),
      held: toJsonNumber(held),
      ledger: toJsonNumber(available + held),
      credit_available: status === 'closed' ? 0 : toJsonNumber(creditLeft({ available, creditLimit })),
    };
  }
}

/** Holds money of one currency. */
export class WalletDto {
  @ApiProperty({ enum: ['wallet'] })
  object: 'wallet';
  /** @example "wal_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  label: string | null;
  /** A frozen wallet does not pay, or takes no money: `freezes` say which. A closed one does neither. */
  @ApiProperty({ enum: WALLET_STATUSES })
  status: WalletStatus;
  @ApiProperty({ type: () => [WalletFreezeDto], description: 'None unless it is frozen.' })
  freezes: WalletFreezeDto[];
  balance: BalanceDto;
  /** The available balance for people, never to be parsed. @example "NGN 1,050.00" */
  balance_display: string;
  /** Minor units by which `available` may be below zero: agreed with the operator, who alone sets it. @example 0 */
  credit_limit: number;
  /** Minor units. */
  low_balance_threshold: number | null;
  reference: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  livemode: boolean;
  /** Grows with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  created_at: Date;
  updated_at: Date;

  static of(this: void, wallet: WalletRecord): WalletDto {
    return {
      id: encodeId('wal', wallet.id),
      object: 'wallet',
      currency: wallet.currency,
      label: wallet.label,
      status: wallet.status,
      freezes: wallet.freezes.map(presentFreeze),
      balance: BalanceDto.of(wallet),
      balance_display: displayMoney({ amount: wallet.available, currency: wallet.currency }),
      credit_limit: toJsonNumber(wallet.creditLimit),
      low_balance_threshold: wallet.lowBalanceThreshold === null ? null : toJsonNumber(wallet.lowBalanceThreshold),
      reference: wallet.reference,
      metadata: wallet.metadata,
      livemode: wallet.livemode,
      version: versionOf(wallet),
      created_at: timeOf(wallet.id),
      updated_at: wallet.updatedAt,
    };
  }
}

export const versionOf = ({ seq, version }: Pick<WalletRecord, 'seq' | 'version'>): number =>
  toJsonNumber(seq) + version;

/** Money that is promised to something under way. */
export class HoldDto {
  @ApiProperty({ enum: ['hold'] })
  object: 'hold';
  /** What holds it. @example "txn_01kabcdefghjkmnpqrstvwxyz0" */
  transaction_id: string;
  @ApiProperty({ enum: TRANSACTION_TYPES, description: 'The type of that transaction.' })
  kind: TransactionType;
  /** Minor units. */
  amount: number;
  since: Date;
  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description:
      'When it is given back unless a second person lets it go before; null: it stays until the outcome is known.',
  })
  releases_at: Date | null;

  static of(this: void, { id, type, amount, since, releasesAt }: WalletHold): HoldDto {
    return {
      object: 'hold',
      transaction_id: encodeId('txn', id),
      kind: type,
      amount: toJsonNumber(amount),
      since,
      releases_at: releasesAt,
    };
  }
}

/** What of a wallet is held, and by what, at one moment. */
export class HoldListDto {
  @ApiProperty({ enum: ['list'] })
  object: 'list';
  /** Minor units: the sum of the holds, listed or not. @example 48750 */
  held: number;
  @ApiProperty({ type: () => [HoldDto], description: 'Newest first, at most 1,000.' })
  data: HoldDto[];
  /** There are more than are listed. */
  has_more: boolean;

  static of(this: void, { held, holds, hasMore }: WalletHolds): HoldListDto {
    return { object: 'list', held: toJsonNumber(held), data: holds.map(HoldDto.of), has_more: hasMore };
  }
}

export class WalletListDto extends ListOf(WalletDto) {}

export interface NewWallet {
  readonly currency: Currency;
  readonly label: string | null;
  readonly reference: string | null;
  /** Minor units. */
  readonly lowBalanceThreshold: bigint | null;
  readonly metadata: Record<string, string>;
}

/** Undefined leaves a field as it is. */
export type WalletChanges = Partial<Pick<NewWallet, 'label' | 'lowBalanceThreshold' | 'metadata'>>;

/** What the owner asks for; a direction that is not named is that of before there were any. */
export interface NewFreeze extends Freeze {
  readonly reason: string | null;
  /** Another freeze of the owner gives way to it. */
  readonly isReplacing: boolean;
}

export const toFreeze = ({ direction, reason, until }: FreezeWalletDto): NewFreeze => ({
  direction: direction ?? 'debit',
  reason: reason ?? null,
  until: until ?? null,
  isReplacing: direction !== undefined && direction !== null,
});

const toMinor = (amount: number | null): bigint | null => (amount === null ? null : BigInt(amount));

export const toNewWallet = (dto: CreateWalletDto): NewWallet => ({
  currency: dto.currency,
  label: dto.label ?? null,
  reference: dto.reference ?? null,
  lowBalanceThreshold: toMinor(dto.low_balance_threshold ?? null),
  metadata: dto.metadata ?? {},
});

export const toChanges = (dto: UpdateWalletDto): WalletChanges => ({
  label: dto.label,
  lowBalanceThreshold: dto.low_balance_threshold === undefined ? undefined : toMinor(dto.low_balance_threshold),
  metadata: dto.metadata === null ? {} : dto.metadata,
});

export class EntriesQuery extends PageQuery {
  @DateTime({ optional: true })
  created_gte?: Date;

  @DateTime({ optional: true })
  created_lt?: Date;

  @OneOf(['json', 'csv'], { optional: true, description: '`csv` streams the whole statement instead of a page.' })
  format?: 'json' | 'csv';
}

/** One line of a wallet's statement. Minor units. */
export class EntryDto {
  @ApiProperty({ enum: ['entry'] })
  object: 'entry';
  /** Wallet id and the number of the entry in it. @example "wal_01kabcdefghjkmnpqrstvwxyz0:42" */
  id: string;
  wallet_id: string;
  /** Numbers a wallet's entries without gaps, from 1. @example 42 */
  sequence: number;
  /** Which part of the balance changed. */
  @ApiProperty({ enum: ['available', 'held'] })
  bucket: 'available' | 'held';
  /** Signed: negative left the bucket. @example -5000 */
  amount: number;
  currency: Currency;
  amount_display: string;
  /** The bucket's balance after this entry. @example 100000 */
  balance_after: number;
  transaction_id: string | null;
  livemode: boolean;
  created_at: Date;

  static of(entry: LedgerEntry, { currency, livemode }: WalletRecord): EntryDto {
    const walletId = encodeId('wal', entry.ledgerAccountId);
    return {
      id: `${walletId}:${entry.seq}`,
      object: 'entry',
      wallet_id: walletId,
      sequence: toJsonNumber(entry.seq),
      bucket: entry.bucket,
      amount: toJsonNumber(entry.amount),
      currency,
      amount_display: displayMoney({ amount: entry.amount, currency }),
      balance_after: toJsonNumber(entry.bucket === 'held' ? entry.heldAfter : entry.availableAfter),
      transaction_id: entry.transactionId && encodeId('txn', entry.transactionId),
      livemode,
      created_at: entry.createdAt,
    };
  }

  static async *stream(entries: AsyncIterable<LedgerEntry>, wallet: WalletRecord): AsyncGenerator<EntryDto> {
    for await (const entry of entries) yield EntryDto.of(entry, wallet);
  }
}

export class EntryListDto extends ListOf(EntryDto) {}

const presentAccountFreeze = (account: AccountRecord): AccountFreezeDto | null => {
  const freeze = freezeOf(account, Date.now());
  return freeze && { direction: freeze.direction, until: freeze.until };
};

/** What a key and its account may do. */
export class LimitsDto {
  /** Of this key; 0: not limited. @example 25 */
  requests_per_second: number;
  /** How many requests may come at once; 0: not limited. @example 50 */
  burst: number;
  /** Largest amount and largest balance, in minor units. @example 9007199254740991 */
  amount_max: number;
}

/** An operator has frozen the account. While it is `both`, keys read and change nothing. */
export class AccountFreezeDto {
  @ApiProperty({ enum: FREEZE_DIRECTIONS, description: 'Which way money does not move.' })
  direction: FreezeDirection;
  /** It ends by itself then. */
  until: Date | null;
}

/** The account behind the key. */
export class AccountDto {
  @ApiProperty({ enum: ['account'] })
  object: 'account';
  /** @example "acct_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  name: string;
  /** The mode of the key that asks. */
  @ApiProperty({ enum: ['test', 'live'] })
  mode: 'test' | 'live';
  /** Live keys can be made. */
  live_enabled: boolean;
  @ApiProperty({
    type: () => AccountFreezeDto,
    nullable: true,
    description: 'Set by an operator: no wallet and no card of the account moves money that way.',
  })
  freeze: AccountFreezeDto | null;
  /** What moves money is refused without `Idempotency-Key` or `reference`: 400 `idempotency_key_required`. */
  require_idempotency_key: boolean;
  /** In which its days begin, for statements and their closing. @example "Africa/Lagos" */
  time_zone: string;
  /** The newest wallets of this mode, at most 100; `GET /v4/wallets` lists all. */
  wallets: WalletDto[];
  limits: LimitsDto;
  livemode: boolean;
  created_at: Date;

  static of(
    account: AccountRecord,
    livemode: boolean,
    wallets: readonly WalletRecord[],
    requestsPerSecond: number,
  ): AccountDto {
    return {
      id: encodeId('acct', account.id),
      object: 'account',
      name: account.name,
      mode: livemode ? 'live' : 'test',
      live_enabled: account.liveEnabled,
      freeze: presentAccountFreeze(account),
      require_idempotency_key: account.requireIdempotencyKey,
      time_zone: account.timeZone,
      wallets: wallets.map(WalletDto.of),
      limits: {
        requests_per_second: requestsPerSecond,
        burst: requestsPerSecond * 2,
        amount_max: toJsonNumber(AMOUNT_MAX),
      },
      livemode,
      created_at: account.createdAt,
    };
  }
}
