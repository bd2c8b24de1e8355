import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  AllowDuplicate,
  Amount,
  CurrencyCode,
  DryRun,
  Metadata,
  PublicId,
  Reference,
  Text,
} from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { CURRENCIES, type Currency, displayMoney, toJsonNumber } from '../../core/money/money';
import { type Transfer, TRANSFER_STATUSES } from './transfer.entity';
import type { WantedTransfer } from './transfers.service';

export class CreateTransferDto {
  @PublicId('wal', { description: 'The wallet that pays; one of yours.' })
  from_wallet: string;

  @PublicId('wal', {
    unless: 'beneficiary_id',
    description: 'Any active wallet of the same mode and currency, yours or not.',
  })
  to_wallet?: string | null;

  @PublicId('ben', {
    optional: true,
    description: 'One of `GET /v4/beneficiaries` of the kind `wallet`, instead of `to_wallet`.',
  })
  beneficiary_id?: string | null;

  @Amount()
  amount: number;

  @CurrencyCode({ optional: true, description: 'Refuse the transfer unless the wallets have this currency.' })
  currency?: Currency | null;

  @Reference({ optional: true })
  reference?: string | null;

  @Text(255, { optional: true, example: 'Float top-up', description: 'Shown to both sides.' })
  narration?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @AllowDuplicate()
  allow_duplicate?: boolean | null;

  @DryRun()
  dry_run?: boolean | null;
}

export const toWantedTransfer = (dto: CreateTransferDto): WantedTransfer => ({
  fromWallet: dto.from_wallet,
  toWallet: dto.to_wallet ?? null,
  beneficiaryId: dto.beneficiary_id ?? null,
  amount: BigInt(dto.amount),
  currency: dto.currency ?? undefined,
  reference: dto.reference ?? null,
  narration: dto.narration ?? null,
  metadata: dto.metadata ?? {},
  allowDuplicate: dto.allow_duplicate ?? false,
});

/** The two records of a transfer. */
export class TransferTransactionsDto {
  /** @example "txn_01kabcdefghjkmnpqrstvwxyz0" */
  debit: string | null;
  /** Null when the receiving wallet is another account's. */
  credit: string | null;
}

/** Why a transfer came to nothing. */
export class TransferFailureDto {
  /** @example "wallet_closed" */
  code: string;
  message: string;
  @ApiProperty({ enum: ['retry_later', 'caller_must_fix', 'account_must_act', 'recipient_must_act', 'none'] })
  recovery: string;
}

/** Money moved between two wallets. Final at once, but for some to wallets of others. Amounts in minor units. */
export class TransferDto {
  @ApiProperty({ enum: ['transfer'] })
  object: 'transfer';
  /** Null in a dry run. @example "trf_01kabcdefghjkmnpqrstvwxyz0" */
  id: string | null;
  @ApiProperty({
    enum: TRANSFER_STATUSES,
    description:
      '`processing` and `failed` only of a transfer to a wallet that is kept elsewhere: its money is held, and back ' +
      'where it failed.',
  })
  status: Transfer['status'];
  @ApiProperty({ type: () => TransferFailureDto, nullable: true })
  failure: TransferFailureDto | null;
  from_wallet: string;
  to_wallet: string;
  amount: number;
  fee: number;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** For people, never to be parsed. @example "NGN 1,050.00" */
  amount_display: string;
  reference: string | null;
  narration: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } })
  metadata: Record<string, string>;
  transactions: TransferTransactionsDto;
  /** Grows with each change: 1 while it is `processing`, 2 once it has ended. */
  version: number;
  livemode: boolean;
  created_at: Date;
  @ApiProperty({
    type: 'array',
    items: { $ref: getSchemaPath('LedgerLineDto') },
    required: false,
    description: 'Only in a dry run: what the ledger would write.',
  })
  ledger?: object[];

  static of(this: void, t: Transfer): TransferDto {
    return {
      id: encodeId('trf', t.id),
      object: 'transfer',
      status: t.status,
      failure: t.failure && { code: t.failure.code, message: t.failure.message, recovery: t.failure.recovery },
      from_wallet: encodeId('wal', t.fromWalletId),
      to_wallet: encodeId('wal', t.toWalletId),
      amount: toJsonNumber(t.amount),
      fee: toJsonNumber(t.fee),
      currency: t.currency,
      amount_display: displayMoney(t),
      reference: t.reference,
      narration: t.narration,
      metadata: t.metadata,
      transactions: {
        debit: encodeId('txn', t.debitTransactionId),
        credit: t.toAccountId === t.accountId ? encodeId('txn', t.creditTransactionId) : null,
      },
      version: t.status === 'processing' ? 1 : 2,
      livemode: t.livemode,
      created_at: timeOf(t.id),
    };
  }

  static ofPreview(transfer: Transfer, ledger: object[]): TransferDto {
    return { ...TransferDto.of(transfer), id: null, transactions: { debit: null, credit: null }, ledger };
  }
}

export class TransferListDto extends ListOf(TransferDto) {}
