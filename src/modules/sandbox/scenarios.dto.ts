import { ApiProperty } from '@nestjs/swagger';
import { durationMs } from '../../core/clock/clock';
import { OneOf } from '../../core/http/fields';
import {
  CardholderScenarioDto,
  ClearingScenarioDto,
  DisputeScenarioDto,
  IdentityScenarioDto,
} from './card-scenarios.dto';
import type { SandboxCustomer } from '../bills/providers/sandbox/sandbox-billers.service';
import clearings from '../cards/sandbox/clearings.json';
import { SANDBOX_CARDHOLDERS } from '../cards/sandbox/sandbox.provider';
import { SANDBOX_DISPUTES } from '../cards/sandbox/sandbox-disputes';
import { SANDBOX_IDENTITIES } from '../cards/sandbox/sandbox-identities';
import { SANDBOX_ACCOUNTS } from '../payouts/providers/sandbox/sandbox.provider';
import { REFUND_OUTCOMES, type SandboxRefundOutcome } from '../payments/sandbox/sandbox-refunds';
import { OUTCOME_NAMES, type SandboxOutcome } from '../payments/sandbox/sandbox.provider';
import {
  SANDBOX_BANK,
  type SandboxAccountLabel,
  type SandboxPayer,
} from '../virtual-accounts/sandbox/sandbox.provider';
import {
  CALLINGS,
  type FinalState,
  type HeaderOutcome,
  type PhoneOutcome,
  type ScenarioTable,
} from '../purchases/sandbox/scenarios';

const FINAL_STATUSES = ['successful', 'failed', 'processing', 'reversed'] as const;

/** How a scenario ends: as a state of the transaction, or with a request that is refused. */
export class ScenarioEndDto {
  /** Null when the request is refused and there is no transaction. */
  @ApiProperty({ enum: FINAL_STATUSES, nullable: true })
  status: (typeof FINAL_STATUSES)[number] | null;
  /** `failure.code` of the transaction. */
  failure_code: string | null;
  /** `code` of the problem that the request is answered with. */
  error_code: string | null;
  /** Providers that are asked. */
  attempts: number;
  /** The event `transaction.needs_review` calls a person. */
  needs_review: boolean;

  static of({ status, failure, error, attempts, review }: FinalState): ScenarioEndDto {
    return {
      status: status ?? null,
      failure_code: failure ?? null,
      error_code: error ?? null,
      attempts,
      needs_review: review ?? false,
    };
  }
}

/** What a phone number does to a purchase, by its last two digits. */
export class PhoneScenarioDto {
  /** YZ of the pattern. @example "08" */
  code: string;
  /** A number of this outcome, without delay. @example "+2348000000108" */
  phone: string;
  description: string;
  /** By the account's test clock, until it has ended; the delay of X is added. @example 0 */
  seconds: number;
  final: ScenarioEndDto;
  /** How a data plan or a bill ends, where it is otherwise. */
  final_indivisible: ScenarioEndDto | null;

  static of(this: void, { code, description, delay, final, finalIndivisible }: PhoneOutcome): PhoneScenarioDto {
    return {
      code,
      phone: `+23480000001${code}`,
      description,
      seconds: durationMs(delay ?? '0s')! / 1_000,
      final: ScenarioEndDto.of(final),
      final_indivisible: finalIndivisible ? ScenarioEndDto.of(finalIndivisible) : null,
    };
  }
}

/** How long the last word of the operator takes, by the third digit from the end. */
export class PhoneDelayDto {
  /** X of the pattern. @example "2" */
  digit: string;
  /** By the account's test clock. @example 20 */
  seconds: number;
}

export class PhoneScenariosDto {
  /** @example "+234 800 NNNN XYZ" */
  pattern: string;
  description: string;
  delays: PhoneDelayDto[];
  outcomes: PhoneScenarioDto[];
}

/** A word that `outcome` of the header may have. */
export class HeaderScenarioDto {
  /** @example "timeout" */
  outcome: string;
  description: string;
  /** Words that `then` may have beside it. */
  then_values: string[];
}

/** A part of the header, as `name=value`; parts are separated by `;`. */
export class HeaderFieldDto {
  /** @example "delay" */
  name: string;
  /** Regular expression of its value. */
  pattern: string;
  required: boolean;
}

export class HeaderScenariosDto {
  /** @example "X-Sandbox-Scenario" */
  name: string;
  description: string;
  /** @example "outcome=timeout; then=delivered; delay=3s" */
  example: string;
  fields: HeaderFieldDto[];
  outcomes: HeaderScenarioDto[];
}

/** What a customer's number does to a bill: to its validation and, without a header, to its payment. */
export class BillCustomerScenarioDto {
  /** @example "1111111111111" */
  customer_identifier: string;
  /** Categories of billers that know it. */
  categories: string[];
  /** Empty: all. */
  service_types: string[];
  description: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Fields of a payment that shows it, beside `customer_identifier`.',
  })
  example: Record<string, unknown>;
  final: ScenarioEndDto;

  static of(
    this: void,
    { customer, categories, service_types, description, example, final }: SandboxCustomer,
  ): BillCustomerScenarioDto {
    return {
      customer_identifier: customer,
      categories: [...categories],
      service_types: [...(service_types ?? [])],
      description,
      example,
      final: ScenarioEndDto.of(final),
    };
  }
}

/** A bank account whose name enquiry ends in a way of its own. */
export class BankAccountScenarioDto {
  /** @example "0000000999" */
  account_number: string;
  /** `code` of the problem that a request about it is answered with. @example "account_not_found" */
  error_code: string;
  description: string;
}

/** What the number of a bank account does to a payout. */
export class BankAccountScenariosDto {
  /** Numbers that mean something, as a regular expression. */
  pattern: string;
  description: string;
  enquiries: BankAccountScenarioDto[];

  static of({ pattern, description, enquiries }: typeof SANDBOX_ACCOUNTS): BankAccountScenariosDto {
    const codes = { not_found: 'account_not_found', unavailable: 'provider_unavailable' } as const;
    return {
      pattern,
      description,
      enquiries: enquiries.map(({ account_number, outcome, description: what }) => ({
        account_number,
        error_code: codes[outcome],
        description: what,
      })),
    };
  }
}

/** What the label of a virtual account does to its opening. */
export class AccountLabelScenarioDto {
  /** @example "SLOW" */
  label: string;
  description: string;
  /** Status in which the account ends up. @example "active" */
  status: string;

  static of(this: void, { label, description, status }: SandboxAccountLabel): AccountLabelScenarioDto {
    return { label, description, status };
  }
}

/** How a deposit ends up. */
export class DepositScenarioEndDto {
  /** @example "credited" */
  status: string;
  /** The event `deposit.needs_review` calls a person. */
  needs_review: boolean;
}

/** What the last name of a payer does to a transfer. */
export class PayerScenarioDto {
  /** @example "Lost" */
  last_name: string;
  description: string;
  /** By the account's test clock, until it ends up so. @example 86400 */
  seconds: number;
  @ApiProperty({ type: () => DepositScenarioEndDto })
  final: DepositScenarioEndDto;

  static of(this: void, { last_name, description, seconds, final }: SandboxPayer): PayerScenarioDto {
    return { last_name, description, seconds, final: { ...final } };
  }
}

/** What the bank of virtual accounts does, by the words that it is given. */
export class VirtualAccountScenariosDto {
  labels: AccountLabelScenarioDto[];
  payers: PayerScenarioDto[];
}

/** Everything that can be made to happen in test mode, from the tables that the sandbox behaves by. */
export class SandboxScenariosDto {
  @ApiProperty({ enum: ['sandbox_scenarios'] })
  object: 'sandbox_scenarios';
  phones: PhoneScenariosDto;
  header: HeaderScenariosDto;
  bill_customers: BillCustomerScenarioDto[];
  bank_accounts: BankAccountScenariosDto;
  cardholders: CardholderScenarioDto[];
  identities: IdentityScenarioDto[];
  clearings: ClearingScenarioDto[];
  disputes: DisputeScenarioDto[];
  payments: PaymentScenarioDto[];
  refunds: RefundScenarioDto[];
  virtual_accounts: VirtualAccountScenariosDto;
  /** Names of the sandbox's providers, in the order in which they are asked. @example ["sandbox", "sandbox_backup"] */
  providers: string[];
  livemode: boolean;

  static of(
    { phones, header, providers }: ScenarioTable,
    customers: readonly SandboxCustomer[],
    outcomes: readonly SandboxOutcome[],
  ): SandboxScenariosDto {
    return {
      object: 'sandbox_scenarios',
      phones: {
        pattern: phones.pattern,
        description: phones.description,
        delays: phones.delays.map(({ digit, delay }) => ({ digit, seconds: durationMs(delay)! / 1_000 })),
        outcomes: phones.outcomes.map(PhoneScenarioDto.of),
      },
      header: {
        name: header.name,
        description: header.description,
        example: header.example,
        fields: fieldsOf(header.outcomes),
        outcomes: header.outcomes.map(wordOf),
      },
      bill_customers: customers.map(BillCustomerScenarioDto.of),
      bank_accounts: BankAccountScenariosDto.of(SANDBOX_ACCOUNTS),
      cardholders: SANDBOX_CARDHOLDERS.map(CardholderScenarioDto.of),
      identities: SANDBOX_IDENTITIES.map(IdentityScenarioDto.of),
      clearings,
      disputes: SANDBOX_DISPUTES.map(DisputeScenarioDto.of),
      payments: outcomes.map(PaymentScenarioDto.of),
      refunds: REFUND_OUTCOMES.map(RefundScenarioDto.of),
      virtual_accounts: {
        labels: SANDBOX_BANK.accounts.map(AccountLabelScenarioDto.of),
        payers: SANDBOX_BANK.payers.map(PayerScenarioDto.of),
      },
      providers: [...providers],
      livemode: false,
    };
  }
}

const wordOf = ({ outcome, description, then }: HeaderOutcome): HeaderScenarioDto => ({
  outcome,
  description,
  then_values: [...then],
});

function fieldsOf(outcomes: readonly HeaderOutcome[]): HeaderFieldDto[] {
  const oneOf = (words: readonly string[]) => `^(${[...new Set(words)].join('|')})$`;
  return [
    { name: 'outcome', pattern: oneOf(outcomes.map(({ outcome }) => outcome)), required: true },
    { name: 'then', pattern: oneOf(outcomes.flatMap(({ then }) => then)), required: false },
    { name: 'delay', pattern: '^[0-9]{1,9}(s|m|h)$', required: false },
    { name: 'code', pattern: '^[a-z][a-z0-9_]{0,63}$', required: false },
    { name: 'callback', pattern: oneOf(CALLINGS), required: false },
  ];
}

export class CompletePaymentDto {
  @OneOf(OUTCOME_NAMES, {
    description: 'What the gateway says from now on: an outcome of `payments` in `GET /v4/sandbox/scenarios`.',
  })
  status: string;
}

/** How a pending payment ends by an outcome. */
export class PaymentScenarioEndDto {
  /** @example "successful" */
  status: string;
  /** The event `payment.needs_review` calls a person, and nothing is credited. */
  needs_review: boolean;
}

/**
 * What a person can make happen at a gateway of the sandbox: on the page, or by
 * `POST /v4/sandbox/payments/{id}/complete`.
 */
export class PaymentScenarioDto {
  /** @example "successful" */
  outcome: string;
  description: string;
  /** By the account's test clock, until the gateway is done. @example 30 */
  delay_seconds: number;
  @ApiProperty({ type: () => PaymentScenarioEndDto })
  final: PaymentScenarioEndDto;

  static of(this: void, { outcome, description, delaySeconds = 0, final }: SandboxOutcome): PaymentScenarioDto {
    return { outcome, description, delay_seconds: delaySeconds, final: { ...final } };
  }
}

/** How a refund ends. */
export class RefundScenarioEndDto {
  /** @example "successful" */
  status: string;
  /** The event `refund.needs_review` calls a person, and the money stays held. */
  needs_review: boolean;
}

/** What the amount of a refund makes a gateway of the sandbox do; every other amount is refunded at once. */
export class RefundScenarioDto {
  /** Last digits of the amount in minor units. @example "901" */
  suffix: string;
  outcome: string;
  description: string;
  /** By the account's test clock, until the gateway is done. @example 30 */
  delay_seconds: number;
  @ApiProperty({ type: () => RefundScenarioEndDto })
  final: RefundScenarioEndDto;

  static of(this: void, { suffix, outcome, description, delaySeconds = 0, final }: SandboxRefundOutcome) {
    return { suffix, outcome, description, delay_seconds: delaySeconds, final: { ...final } };
  }
}
