import { ApiProperty } from '@nestjs/swagger';
import { Amount, CurrencyCode, Label, Metadata, OneOf, Reference } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { DateTime, PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency } from '../../core/money/currencies';
import { displayMoney, toJsonNumber } from '../../core/money/money';
import type { WalletRecord } from './wallets.service';
import type { NewWallet, WalletChanges } from './wallets.types';
import { WALLET_STATUSES, type WalletStatus } from './wallets.states';

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
}

/** Minor units. */
export class BalanceDto {
  /** Can be spent. @example 105000 */
  available: number;
  /** Promised to something that is under way. @example 0 */
  held: number;
  /** available + held. @example 105000 */
  ledger: number;

  static of({ available, held }: { available: bigint; held: bigint }): BalanceDto {
    return { available: toJsonNumber(available), held: toJsonNumber(held), ledger: toJsonNumber(available + held) };
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
  /** A frozen wallet receives but does not pay; a closed one does neither. */
  @ApiProperty({ enum: WALLET_STATUSES })
  status: WalletStatus;
  balance: BalanceDto;
  /** The available balance for people, never to be parsed. @example "NGN 1,050.00" */
  balance_display: string;
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
      balance: BalanceDto.of(wallet),
      balance_display: displayMoney({ amount: wallet.available, currency: wallet.currency }),
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

export class WalletListDto extends ListOf(WalletDto) {}

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
