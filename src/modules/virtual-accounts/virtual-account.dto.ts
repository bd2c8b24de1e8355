import { ApiProperty } from '@nestjs/swagger';
import { FieldRefused } from '../../core/errors/domain-error';
import { Amount, DryRun, field, Label, OneOf, PublicId, Reference } from '../../core/http/fields';
import { encodeId, timeOf } from '../../core/http/ids';
import { ListOf } from '../../core/http/list.dto';
import { DateTime, ManyOf, PageQuery } from '../../core/http/query-fields';
import { CURRENCIES, type Currency, toJsonNumber } from '../../core/money/money';
import type { Refused } from '../../providers/answers';
import {
  AMOUNT_POLICIES,
  type AmountPolicy,
  type BankName,
  type VirtualAccount,
  VIRTUAL_ACCOUNT_KINDS,
  VIRTUAL_ACCOUNT_STATUSES,
  type VirtualAccountKind,
  type VirtualAccountStatus,
} from './virtual-account.entity';

const [EXPIRES_MIN_SECONDS, EXPIRES_DEFAULT_SECONDS, EXPIRES_MAX_SECONDS] = [60, 3_600, 2_592_000];
const NUMBER = '^[0-9A-Z]{4,34}$';

const isExpiresIn = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= EXPIRES_MIN_SECONDS && (value as number) <= EXPIRES_MAX_SECONDS;

const Policy = (of: string) =>
  OneOf(AMOUNT_POLICIES, {
    optional: true,
    description:
      `What becomes of a transfer of ${of} than \`amount\`: a person decides (\`review\`, the default), ` +
      'it is credited (`accept_received`), or it goes back to the payer (`refund`).',
  });

export class CreateVirtualAccountDto {
  @PublicId('wal', { description: 'The wallet that gets what arrives; its currency is what payers pay in.' })
  wallet_id: string;

  @OneOf(VIRTUAL_ACCOUNT_KINDS, { description: '`permanent` takes any number of transfers, `one_time` one.' })
  kind: VirtualAccountKind;

  @Amount({
    optional: true,
    description: 'Of a one-time account: what the payer is to pay, in minor units (kobo, cents). Absent: anything.',
  })
  amount?: number | null;

  @Policy('less')
  on_underpaid?: AmountPolicy | null;

  @Policy('more')
  on_overpaid?: AmountPolicy | null;

  @field(
    {
      type: 'integer',
      minimum: EXPIRES_MIN_SECONDS,
      maximum: EXPIRES_MAX_SECONDS,
      example: EXPIRES_DEFAULT_SECONDS,
      description: `Of a one-time account: seconds in which it can be paid; ${EXPIRES_DEFAULT_SECONDS} when absent.`,
    },
    [
      {
        name: 'accountExpiresIn',
        says: `must be a whole number from ${EXPIRES_MIN_SECONDS} to ${EXPIRES_MAX_SECONDS}`,
        holds: isExpiresIn,
      },
    ],
    { optional: true },
  )
  expires_in?: number | null;

  @PublicId('cus', { optional: true, description: 'Whose transfers are expected: one of `GET /v4/customers`.' })
  customer_id?: string | null;

  @Label({ optional: true, description: 'For the name of the account, which payers see.' })
  label?: string | null;

  @Reference({ optional: true })
  reference?: string | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** A virtual account as it is asked for. */
export interface NewVirtualAccount {
  /** Public ids. */
  readonly walletId: string;
  readonly customerId: string | null;
  readonly kind: VirtualAccountKind;
  /** Minor units; null: anything. */
  readonly amount: bigint | null;
  readonly onUnderpaid: AmountPolicy;
  readonly onOverpaid: AmountPolicy;
  /** Seconds by the account's clock; null: it does not expire. */
  readonly expiresIn: number | null;
  readonly label: string | null;
  readonly reference: string | null;
}

/** Throws `FieldRefused` for what only a one-time account can have. */
export function toNewVirtualAccount(dto: CreateVirtualAccountDto): NewVirtualAccount {
  const isOneTime = dto.kind === 'one_time';
  for (const name of ['amount', 'expires_in', 'on_underpaid', 'on_overpaid'] as const) {
    const isGiven = dto[name] !== undefined && dto[name] !== null;
    if (isGiven && !isOneTime) throw new FieldRefused(`/${name}`, `${name} is for accounts of the kind one_time.`);
    if (isGiven && name.startsWith('on_') && !dto.amount)
      throw new FieldRefused(`/${name}`, `${name} needs an amount that can be missed.`);
  }
  return {
    walletId: dto.wallet_id,
    customerId: dto.customer_id ?? null,
    kind: dto.kind,
    amount: dto.amount ? BigInt(dto.amount) : null,
    onUnderpaid: dto.on_underpaid ?? 'review',
    onOverpaid: dto.on_overpaid ?? 'review',
    expiresIn: isOneTime ? (dto.expires_in ?? EXPIRES_DEFAULT_SECONDS) : null,
    label: dto.label ?? null,
    reference: dto.reference ?? null,
  };
}

/** Filters and page of a list of virtual accounts. */
export class VirtualAccountsQuery extends PageQuery {
  @ManyOf(VIRTUAL_ACCOUNT_STATUSES)
  status?: VirtualAccountStatus[];

  @OneOf(VIRTUAL_ACCOUNT_KINDS, { optional: true })
  kind?: VirtualAccountKind;

  @PublicId('wal', { optional: true })
  wallet_id?: string;

  @PublicId('cus', { optional: true })
  customer_id?: string;

  @Reference({ optional: true })
  reference?: string;

  @field(
    { type: 'string', pattern: NUMBER, maxLength: 34, example: '9900000001' },
    [
      {
        name: 'virtualAccountNumber',
        says: 'must be an account number',
        holds: (value) => typeof value === 'string' && new RegExp(NUMBER).test(value),
      },
    ],
    { optional: true },
  )
  account_number?: string;

  /** Created at or after. */
  @DateTime({ optional: true })
  created_gte?: Date;

  /** Created before. */
  @DateTime({ optional: true })
  created_lt?: Date;
}

/** What a list of virtual accounts may be narrowed to. */
export type VirtualAccountFilters = Omit<VirtualAccountsQuery, keyof PageQuery>;

/** The bank that payers choose. */
export class VirtualAccountBankDto implements BankName {
  /** As the country's clearing house has it. @example "058" */
  code: string | null;
  /** @example "Sandbox Bank" */
  name: string;
}

/** Why the bank gave no number. */
export class VirtualAccountFailureDto implements Refused {
  /** @example "account_not_opened" */
  code: string;
  message: string;
  @ApiProperty({ enum: ['retry_later', 'caller_must_fix', 'account_must_act', 'recipient_must_act', 'none'] })
  recovery: Refused['recovery'];
}

/** The number of a bank account: what is transferred to it is credited to a wallet. Amounts in minor units. */
export class VirtualAccountDto {
  @ApiProperty({ enum: ['virtual_account'] })
  object: 'virtual_account';
  /** Null in a dry run. @example "vac_01kabcdefghjkmnpqrstvwxyz0" */
  id: string | null;
  @ApiProperty({ enum: VIRTUAL_ACCOUNT_KINDS })
  kind: VirtualAccountKind;
  @ApiProperty({
    enum: VIRTUAL_ACCOUNT_STATUSES,
    description:
      '`pending`: the bank has given no number yet, and is asked again; `used`: a one-time account that took its ' +
      'transfer; `failed`: the bank gives none. What arrives at one that is not `active` is held for a person.',
  })
  status: VirtualAccountStatus;
  /** Null until the bank gave a number. */
  @ApiProperty({ type: () => VirtualAccountBankDto, nullable: true })
  bank: VirtualAccountBankDto | null;
  /** @example "9900000001" */
  account_number: string | null;
  /** As payers see it. @example "Duka / Ada Obi" */
  account_name: string | null;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** The wallet that gets what arrives. */
  wallet_id: string;
  /** What is to be paid into a one-time account; null: anything. */
  amount: number | null;
  @ApiProperty({ enum: AMOUNT_POLICIES, nullable: true, description: 'Null where no amount can be missed.' })
  on_underpaid: AmountPolicy | null;
  @ApiProperty({ enum: AMOUNT_POLICIES, nullable: true, description: 'Null where no amount can be missed.' })
  on_overpaid: AmountPolicy | null;
  /** @example "cus_01kabcdefghjkmnpqrstvwxyz0" */
  customer_id: string | null;
  label: string | null;
  reference: string | null;
  @ApiProperty({ type: () => VirtualAccountFailureDto, nullable: true })
  failure: VirtualAccountFailureDto | null;
  livemode: boolean;
  /** Grows with each change: of two objects, the one with the higher version is the newer one. */
  version: number;
  /** Null: it does not expire. */
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;

  static of(this: void, v: Readonly<VirtualAccount>): VirtualAccountDto {
    return {
      object: 'virtual_account',
      id: encodeId('vac', v.id),
      kind: v.kind,
      status: v.status,
      bank: v.bank,
      account_number: v.accountNumber,
      account_name: v.accountName,
      currency: v.currency,
      wallet_id: encodeId('wal', v.walletId),
      amount: v.amount === null ? null : toJsonNumber(v.amount),
      on_underpaid: v.amount === null ? null : v.onUnderpaid,
      on_overpaid: v.amount === null ? null : v.onOverpaid,
      customer_id: v.customerId && encodeId('cus', v.customerId),
      label: v.label,
      reference: v.reference,
      failure: v.failure,
      livemode: v.livemode,
      version: v.version,
      expires_at: v.expiresAt,
      created_at: timeOf(v.id),
      updated_at: v.updatedAt,
    };
  }

  static ofPreview(account: Readonly<VirtualAccount>): VirtualAccountDto {
    return { ...VirtualAccountDto.of(account), id: null };
  }
}

export class VirtualAccountListDto extends ListOf(VirtualAccountDto) {}
