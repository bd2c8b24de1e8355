import type { StatementLine } from '../pretended';
import { asNumber, asText, kobo, No } from './answers';

interface Account {
  readonly accountReference: string;
  readonly accountName: string;
  readonly customerEmail: string;
  readonly customerName: string;
  readonly reservationReference: string;
  readonly accounts: readonly { readonly bankCode: string; readonly accountNumber: string }[];
}

export interface Payment {
  readonly reference: string;
  readonly account: Account;
  readonly amount: bigint;
  readonly payer: string;
  readonly paidAt: Date;
  status: string;
}

interface Refund {
  readonly reference: string;
  readonly payment: Payment;
  readonly amount: bigint;
  status: string;
}

const BANKS: Readonly<Record<string, string>> = {
  '50515': 'Moniepoint Microfinance Bank',
  '035': 'Wema bank',
  '232': 'Sterling bank',
};
const LAGOS_MS = 3_600_000;

/** Reserved accounts of the merchant, what was paid into them, and what went back. */
export class Collections {
  /** How a refund ends. */
  refundsEnd = 'COMPLETED';
  /** Kobo. Less is not refunded (R4). */
  refundMin = 10_000n;
  readonly accounts = new Map<string, Account>();
  readonly payments = new Map<string, Payment>();
  readonly refunds = new Map<string, Refund>();
  private count = 0;

  /** `settle`: into the merchant's wallet, in kobo; below zero: out of it. */
  constructor(
    private readonly contract: string,
    private readonly settle: (amount: bigint) => void,
  ) {}

  get statement(): StatementLine[] {
    const refunded = [...this.refunds.values()].map(({ payment }) => payment);
    const kept = [...this.payments.values()].filter((payment) => !refunded.includes(payment));
    return kept.map((payment) => ({ reference: payment.reference, amount: -settledOf(payment) }));
  }

  /** Throws `No`. */
  reserve(body: Readonly<Record<string, unknown>>): object {
    for (const field of ['accountReference', 'accountName', 'currencyCode', 'contractCode', 'customerEmail'])
      if (typeof body[field] !== 'string') throw new No(400, '99', `Field ${field} cannot be null`);
    if (body.contractCode !== this.contract) throw new No(422, '99', 'Invalid contract code supplied.');
    const reference = body.accountReference as string;
    if (this.accounts.has(reference))
      throw new No(422, '99', 'You can not reserve two accounts with the same reference');
    const email = body.customerEmail as string;
    if ([...this.accounts.values()].some(({ customerEmail }) => customerEmail === email))
      throw new No(422, 'R42', 'You cannot reserve more than 1 account(s) for a customer');
    const wanted = body.getAllAvailableBanks === true ? Object.keys(BANKS) : (body.preferredBanks as string[]);
    const unsupported = wanted.find((code) => !Object.hasOwn(BANKS, code));
    if (unsupported !== undefined)
      throw new No(400, '99', `We do not support virtual accounts from banks with code ${unsupported}.`);
    const account: Account = {
      accountReference: reference,
      accountName: body.accountName as string,
      customerEmail: email,
      customerName: body.customerName as string,
      reservationReference: `17ERLN8RZCZ203H${`${++this.count}`.padStart(5, '0')}`,
      accounts: wanted.map((bankCode) => ({ bankCode, accountNumber: `${6_254_000_000 + this.count}` })),
    };
    this.accounts.set(reference, account);
    return this.shown(account);
  }

  /** Throws `No`. */
  account(reference: string): object {
    return this.shown(this.known(reference));
  }

  deallocate(reference: string): object {
    const account = this.known(reference);
    this.accounts.delete(reference);
    return this.shown(account);
  }

  /** Our reference of the account with a number. Throws `No`. */
  referenceOf(accountNumber: string): string {
    const all = [...this.accounts.values()];
    const account = all.find(({ accounts }) => accounts.some((one) => one.accountNumber === accountNumber));
    return this.known(account?.accountReference ?? '').accountReference;
  }

  /** Somebody pays. Kobo. */
  pay(accountReference: string, amount: bigint, payer = 'BENJAMIN CHUKWUEMEKA ONONOGBU'): Payment {
    const account = this.known(accountReference);
    const paidAt = new Date();
    const day = new Date(paidAt.getTime() + LAGOS_MS).toISOString().replace(/\D/g, '').slice(0, 14);
    const reference = `MNFY|87|${day}|${`${++this.count}`.padStart(6, '0')}`;
    const payment: Payment = { reference, account, amount, payer, paidAt, status: 'PAID' };
    this.payments.set(reference, payment);
    this.settle(settledOf(payment));
    return payment;
  }

  /** Throws `No`. */
  query(reference: string): object {
    const payment = this.paid(reference);
    const payer = { ...this.source(payment), amountPaid: asText(payment.amount) };
    return {
      ...this.facts(payment),
      amountPaid: asText(payment.amount),
      totalPayable: asText(payment.amount),
      settlementAmount: asText(settledOf(payment)),
      paidOn: spoken(payment.paidAt),
      paymentDescription: 'Tes',
      cardDetails: null,
      accountDetails: payer,
      accountPayments: [payer],
    };
  }

  search(query: URLSearchParams): object {
    const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 10)];
    const from = Number(query.get('from') ?? 0);
    const status = query.get('paymentStatus');
    const all = [...this.payments.values()]
      .filter((one) => one.paidAt.getTime() >= from && (status === null || one.status === status))
      .reverse();
    const rows = all
      .slice(page * size, (page + 1) * size)
      .map((payment) => ({
        customerDTO: { email: payment.account.customerEmail, name: payment.account.customerName },
        paymentMethod: 'ACCOUNT_TRANSFER',
        createdOn: payment.paidAt.toISOString().replace('Z', '+00:00'),
        amount: asNumber(payment.amount),
        currencyCode: 'NGN',
        paymentDescription: 'Tes',
        paymentStatus: payment.status,
        transactionReference: payment.reference,
        paymentReference: payment.reference,
        merchantName: 'Test01',
        completed: true,
        collectionChannel: 'RESERVED_ACCOUNT',
      }));
    const totalPages = Math.ceil(all.length / size);
    return { content: rows, totalElements: all.length, totalPages, number: page, size, last: page + 1 >= totalPages };
  }

  /** Throws `No`. */
  refund(body: Readonly<Record<string, unknown>>): object {
    const reference = body.refundReference as string;
    const amount = kobo(body.refundAmount) ?? 0n;
    const payment = this.payments.get(body.transactionReference as string);
    if (payment === undefined) throw new No(422, 'R1', 'Transaction with specified reference does not exist.');
    if (amount > payment.amount) throw new No(422, 'R3', 'Specified refund amount is above transaction amount.');
    if (amount < this.refundMin) throw new No(422, 'R4', 'Specified refund amount is below minimum refund amount.');
    if (String(body.refundReason).length > 64 || String(body.customerNote).length > 16)
      throw new No(422, 'R8', 'supplied value has exceeded the maximum allowed number of characters.');
    if (this.refunds.has(reference))
      throw new No(422, 'R9', 'Supplied refund reference already exists for the merchant.');
    this.refunds.set(reference, { reference, payment, amount, status: this.refundsEnd });
    // Its fee, too: the documentation does not say.
    if (this.refundsEnd === 'COMPLETED') this.settle(-settledOf({ amount }));
    return this.refundBody(reference);
  }

  /** Throws `No`. */
  refundBody(reference: string): object {
    const refund = this.refunds.get(reference);
    if (refund === undefined) throw new No(404, 'R7', 'No refund was initiated with the supplied refund reference.');
    return {
      refundReference: refund.reference,
      transactionReference: refund.payment.reference,
      refundReason: 'Order cancelled!',
      customerNote: 'An optional note',
      refundAmount: asNumber(refund.amount),
      refundType: 'FULL_REFUND',
      refundStatus: refund.status,
      refundStrategy: 'MERCHANT_WALLET',
      comment: 'Transaction refund is in progress.',
      createdOn: spoken(refund.payment.paidAt),
    };
  }

  /** As a webhook tells of it. */
  event(payment: Payment): object {
    return {
      eventType: 'SUCCESSFUL_TRANSACTION',
      eventData: {
        ...this.facts(payment),
        paidOn: new Date(payment.paidAt.getTime() + LAGOS_MS).toISOString().replace('T', ' ').replace('Z', ''),
        paymentDescription: 'Adm',
        metaData: {},
        paymentSourceInformation: [{ ...this.source(payment), amountPaid: asNumber(payment.amount) }],
        destinationAccountInformation: payment.account.accounts[0],
        amountPaid: asNumber(payment.amount),
        totalPayable: asNumber(payment.amount),
        cardDetails: {},
        settlementAmount: asText(settledOf(payment)),
      },
    };
  }

  private facts(payment: Payment): object {
    return {
      product: { reference: payment.account.accountReference, type: 'RESERVED_ACCOUNT' },
      transactionReference: payment.reference,
      paymentReference: payment.reference,
      paymentMethod: 'ACCOUNT_TRANSFER',
      currency: 'NGN',
      paymentStatus: payment.status,
      customer: { name: payment.account.customerName, email: payment.account.customerEmail },
    };
  }

  private source({ payer }: Payment): object {
    const sessionId = '090405230626180003067844645188';
    return { bankCode: '000016', accountName: payer, accountNumber: '******1070', sessionId };
  }

  private shown(account: Account): object {
    return {
      contractCode: this.contract,
      ...account,
      currencyCode: 'NGN',
      accounts: account.accounts.map((one) => ({
        ...one,
        bankName: BANKS[one.bankCode],
        accountName: account.accountName.slice(0, 3),
      })),
      collectionChannel: 'RESERVED_ACCOUNT',
      reservedAccountType: 'GENERAL',
      status: 'ACTIVE',
      createdOn: '2026-06-26 23:19:13.511864338',
      incomeSplitConfig: [],
      restrictPaymentSource: false,
    };
  }

  private known(reference: string): Account {
    const account = this.accounts.get(reference);
    if (account === undefined) throw new No(404, '99', 'Cannot find reserved account');
    return account;
  }

  private paid(reference: string): Payment {
    const payment = this.payments.get(reference);
    if (payment === undefined)
      throw new No(404, '99', 'Could not find transaction with the specified transaction reference');
    return payment;
  }
}

/** Without the fee. */
const settledOf = ({ amount }: { readonly amount: bigint }): bigint => amount - amount / 100n;

/** `29/06/2023 01:20:18 PM`, by the clock of Lagos. */
function spoken(date: Date): string {
  const [, year, month, day, hour, minute, second] = /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)/.exec(
    new Date(date.getTime() + LAGOS_MS).toISOString(),
  )!;
  const hours = `${Number(hour) % 12 || 12}`.padStart(2, '0');
  return `${day}/${month}/${year} ${hours}:${minute}:${second} ${Number(hour) < 12 ? 'AM' : 'PM'}`;
}
