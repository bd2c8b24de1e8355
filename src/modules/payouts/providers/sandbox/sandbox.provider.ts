import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CallbackRequest } from '../../../../providers/answers';
import type { FindResult, Order, OrderCallback, ProviderResult } from '../../../purchases/purchases.provider';
import { SandboxOperator } from '../../../purchases/sandbox-operator.service';
import {
  type BankAccount,
  type NameResult,
  PaysOut,
  type PayoutItem,
  type PayoutProvider,
} from '../../payouts.provider';
import table from './accounts.json';

/** An account number whose name enquiry ends in a way of its own. */
interface SandboxEnquiry {
  readonly account_number: string;
  readonly outcome: 'not_found' | 'unavailable';
  readonly description: string;
}

/** What numbers of bank accounts do in test mode: the sandbox behaves by it, and a route serves it. */
export const SANDBOX_ACCOUNTS = table as {
  readonly pattern: string;
  readonly description: string;
  readonly enquiries: readonly SandboxEnquiry[];
  readonly names: readonly string[];
};

const digest = (...words: readonly string[]): bigint =>
  BigInt(`0x${createHash('sha256').update(words.join('/')).digest('hex')}`);

/** The same name each time for the same account. */
const nameOf = ({ bankCode, accountNumber }: BankAccount): string =>
  SANDBOX_ACCOUNTS.names[Number(digest(bankCode, accountNumber) % BigInt(SANDBOX_ACCOUNTS.names.length))]!;

const PATTERN = new RegExp(SANDBOX_ACCOUNTS.pattern);

/** The order as the operator knows them: `0000000108` does what the phone +2348000000108 does. */
function played<O extends Omit<Order<PayoutItem>, 'reference'>>(order: O): O & { item: { phone?: string } } {
  const { accountNumber } = order.item;
  return PATTERN.test(accountNumber)
    ? { ...order, item: { ...order.item, phone: `+234800${accountNumber.slice(-7)}` } }
    : order;
}

/** The operator's answer in the words of a bank. */
function told<R extends ProviderResult | FindResult>({ reference }: Order<PayoutItem>, result: R): R {
  if (result.outcome !== 'delivered') return result;
  const sessionId = (digest(reference, 'session') % 10n ** 30n).toString().padStart(30, '0');
  return { ...result, details: { session_id: sessionId } };
}

/** What both sandbox providers do. */
abstract class SandboxPayer implements PayoutProvider {
  constructor(
    private readonly name: string,
    private readonly operator: SandboxOperator,
  ) {}

  async resolve(account: BankAccount): Promise<NameResult> {
    const own = SANDBOX_ACCOUNTS.enquiries.find(({ account_number }) => account_number === account.accountNumber);
    return own ? { outcome: own.outcome } : { outcome: 'found', accountName: nameOf(account) };
  }

  canSell(order: Omit<Order<PayoutItem>, 'reference'>): boolean {
    return this.operator.canSell(this.name, played(order));
  }

  async purchase(order: Order<PayoutItem>, signal: AbortSignal): Promise<ProviderResult> {
    return told(order, await this.operator.sell(this.name, played(order), signal));
  }

  async find(order: Order<PayoutItem>, signal: AbortSignal): Promise<FindResult> {
    return told(order, await this.operator.find(this.name, played(order), signal));
  }

  verify(callback: CallbackRequest): OrderCallback {
    return this.operator.verify(this.name, callback);
  }
}

/** Asked first in test mode. */
@Injectable()
@PaysOut({ name: 'sandbox', mode: 'test' })
export class SandboxPayouts extends SandboxPayer {
  constructor(operator: SandboxOperator) {
    super('sandbox', operator);
  }
}

/** Asked when the first one refuses. */
@Injectable()
@PaysOut({ name: 'sandbox_backup', mode: 'test' })
export class SandboxBackupPayouts extends SandboxPayer {
  constructor(operator: SandboxOperator) {
    super('sandbox_backup', operator);
  }
}
