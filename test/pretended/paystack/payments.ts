import type { ServerResponse } from 'node:http';
import type { GatewayDeed } from '../../contracts/gateway-rules';
import type { Heard, StatementLine } from '../pretended';
import { done, fault, lockOut, NONSENSE } from './talk';

interface Plan {
  readonly deed: GatewayDeed;
  readonly kind: number;
  /** Of the transaction. */
  readonly id: number;
}

interface Transaction {
  readonly id: number;
  readonly reference: string;
  readonly email: string;
  readonly amount: bigint;
  readonly currency: string;
  /** Null: as it was planned. */
  status: string | null;
}

interface Refund {
  readonly id: number;
  readonly transaction: number;
  readonly amount: number;
  readonly currency: string;
  readonly dispute: number | null;
  status: string;
  readonly merchant_note: string;
  readonly customer_note: string;
  readonly createdAt: string;
}

const STATUSES: Partial<Record<GatewayDeed, string>> = {
  pays: 'success',
  waits: 'abandoned',
  declines: 'failed',
  gives_back: 'reversed',
  gives_back_a_part: 'success',
  keeps_the_money: 'success',
};

const FEE_FLAT = 10_000n;
const FEE_MAX = 200_000n;
/** 1.5 % and NGN 100, at most NGN 2,000; below NGN 2,500 without the 100. */
const feeOf = (amount: bigint): bigint => {
  const fee = (amount * 15n + 999n) / 1_000n + (amount < 250_000n ? 0n : FEE_FLAT);
  return fee > FEE_MAX ? FEE_MAX : fee;
};

/** Transactions, their refunds and disputes. */
export class Payments {
  /** How many were opened for a reference of theirs. */
  readonly opened = new Map<string, number>();
  readonly refunds: Refund[] = [];
  /** As they are listed. */
  readonly disputes: object[] = [];
  /** Payers pay the fee on top. */
  feeIsOnTop = false;
  /** How a refund stands when it was asked for; `pending` goes on each time that it is listed, to `processed`. */
  refundsBegin = 'pending';
  /** The list of refunds heeds which transaction is meant. */
  listsAreFiltered = true;
  /** What stands in the nonsense about a refund, by transaction. */
  readonly notes = new Map<number, string>();
  private readonly plans = new Map<string, Plan>();
  private readonly transactions = new Map<string, Transaction>();
  private readonly moving = new Set<Refund>();
  private lastId = 4_099_260_516;

  constructor(
    private readonly onPaid: (data: Record<string, unknown>, amount: bigint) => void,
    private readonly onRefunded: (data: object, amount: bigint) => void,
  ) {}

  plan(reference: string, deed: GatewayDeed, kind = 0): void {
    this.plans.set(reference, { deed, kind, id: this.plans.get(reference)?.id ?? ++this.lastId });
  }

  /** Of the transaction, be it opened or only planned. */
  idOf(reference: string): number {
    return this.transactions.get(reference)?.id ?? this.plans.get(reference)!.id;
  }

  /** Subunits that the payer was asked for, and that Paystack keeps. */
  booked(reference: string): { asked: bigint; kept: bigint } {
    const { amount } = this.transactions.get(reference)!;
    return { asked: amount, kept: feeOf(amount) };
  }

  /** By their own ids. */
  get statement(): StatementLine[] {
    return [
      ...this.received.map(({ id, amount, fee }) => ({ reference: `${id}`, amount: fee - amount })),
      ...this.refunds.map(({ id, amount }) => ({ reference: `${id}`, amount: BigInt(amount) })),
    ];
  }

  /** What came for an open transaction so far; null: nothing did. */
  paid(reference: string): bigint | null {
    const transaction = this.transactions.get(reference);
    return transaction !== undefined && this.statusOf(transaction) === 'success' ? transaction.amount : null;
  }

  /** All that was paid, and what of it stays here. */
  get received(): { readonly id: number; readonly reference: string; readonly amount: bigint; readonly fee: bigint }[] {
    return [...this.transactions.values()]
      .filter((one) => this.statusOf(one) === 'success')
      .map(({ id, reference, amount }) => ({ id, reference, amount, fee: feeOf(amount) }));
  }

  /** Waits for its payer. */
  isOpen(reference: string): boolean {
    const transaction = this.transactions.get(reference);
    return transaction !== undefined && this.statusOf(transaction) === 'abandoned';
  }

  /** From now on. */
  setStatus(reference: string, status: string): void {
    this.transactions.get(reference)!.status = status;
  }

  /** The payer of an open transaction pays now. */
  pay(reference: string): void {
    const transaction = this.transactions.get(reference)!;
    transaction.status = 'success';
    this.onPaid(this.told(transaction), transaction.amount);
  }

  /** As from the dashboard, or by a dispute. */
  giveBack(reference: string, amount: number, dispute: number | null = null, status = 'processed'): Refund {
    const { id, currency } = this.transactions.get(reference)!;
    const refund = this.rowOf({ id, reference, currency }, amount, { dispute, status });
    this.refunds.push(refund);
    return refund;
  }

  initialize({ body }: Heard, response: ServerResponse): void {
    const { reference, email, amount, currency = 'NGN' } = (body ?? {}) as Record<string, string>;
    const theirs = reference ?? `T${++this.lastId}`;
    const { deed, kind } = this.planOf(theirs);
    if (!/^[A-Za-z0-9.=-]+$/.test(theirs))
      return fault(response, 400, 'Invalid characters in reference', { code: 'invalid_params' });
    if (!/^\S+@\S+$/.test(email ?? '')) return fault(response, 400, 'Invalid Email Address Passed', INVALID);
    if (!/^[1-9]\d*$/.test(String(amount)) || deed === 'refuses')
      return fault(response, 400, 'Invalid Amount Sent', INVALID);
    if (this.transactions.has(theirs)) return fault(response, 400, 'Duplicate Transaction Reference', DUPLICATE);
    this.open(theirs, { email: email!, amount: BigInt(amount!), currency });
    if (deed === 'stays_silent') return;
    const code = `${this.idOf(theirs).toString(36)}kdavz`;
    const data = { authorization_url: `https://checkout.paystack.com/${code}`, access_code: code, reference: theirs };
    if (deed === 'talks_nonsense') return NONSENSE[kind]!(response, data, false);
    done(response, 'Authorization URL created', data);
  }

  verify(reference: string, response: ServerResponse): void {
    const { deed, kind } = this.planOf(reference);
    const transaction = this.transactions.get(reference);
    if (deed === 'stays_silent') return;
    if (deed === 'talks_nonsense') return NONSENSE[kind]!(response, this.told(transaction!), false);
    if (transaction === undefined)
      return fault(response, 400, 'Transaction reference not found.', { code: 'transaction_not_found' });
    if (deed === 'locks_us_out') return lockOut(response, kind);
    done(response, 'Verification successful', this.told(transaction));
  }

  createRefund({ body }: Heard, response: ServerResponse): void {
    const {
      transaction: named,
      amount,
      merchant_note: note,
      customer_note: reason,
    } = (body ?? {}) as Record<string, string>;
    const [reference, plan] = [...this.plans].find(([name, { id }]) => named === name || named === String(id)) ?? [];
    if (plan?.deed === 'stays_silent') return;
    if (plan?.deed === 'talks_nonsense') return NONSENSE[plan.kind]!(response, this.nonsenseRow(plan), false);
    const transaction = this.transactions.get(String(reference));
    if (transaction === undefined)
      return fault(response, 404, 'Transaction not found', { code: 'transaction_not_found' });
    const wanted = Number(amount ?? transaction.amount);
    const given = this.refunds.filter((one) => one.transaction === transaction.id && one.status !== 'failed');
    if (given.reduce((sum, one) => sum + one.amount, wanted) > Number(transaction.amount))
      return fault(response, 400, 'Transaction has been fully reversed', {
        code: 'transaction_reversed',
        type: 'api_error',
      });
    const row = this.rowOf(transaction, wanted, {
      note,
      reason,
      status: plan?.deed === 'keeps_the_money' ? 'failed' : this.refundsBegin,
    });
    this.refunds.push(row);
    if (row.status === 'pending') this.moving.add(row);
    const { id, currency } = transaction;
    const told = { id, reference: transaction.reference, amount: wanted, currency, domain: 'live' };
    done(response, 'Refund has been queued for processing', { ...row, transaction: told, integration: 412_829 });
  }

  listRefunds({ query }: Heard, response: ServerResponse): void {
    const id = Number(query.get('transaction'));
    const plan = [...this.plans.values()].find((one) => one.id === id);
    if (plan?.deed === 'stays_silent') return;
    if (plan?.deed === 'talks_nonsense') return NONSENSE[plan.kind]!(response, this.nonsenseRow(plan), true);
    const rows = this.refunds.filter((one) => !this.listsAreFiltered || one.transaction === id);
    page(query, rows, response, 'Refunds retrieved');
    for (const row of rows) if (this.moving.has(row)) this.goOn(row);
  }

  listDisputes({ query }: Heard, response: ServerResponse): void {
    const rows = this.disputes.filter(
      (one) => (one as { transaction: { id: number } }).transaction.id === Number(query.get('transaction')),
    );
    page(query, rows, response, 'Disputes retrieved');
  }

  private goOn(row: Refund): void {
    row.status = row.status === 'pending' ? 'processing' : 'processed';
    if (row.status !== 'processed') return;
    this.moving.delete(row);
    const [reference] = [...this.transactions].find(([, { id }]) => id === row.transaction)!;
    const { status, amount, currency } = row;
    const told = { status, transaction_reference: reference, refund_reference: null, amount: String(amount), currency };
    this.onRefunded({ ...told, domain: 'live' }, BigInt(amount));
  }

  private planOf(reference: string): Plan {
    if (!this.plans.has(reference)) this.plan(reference, 'pays');
    return this.plans.get(reference)!;
  }

  private open(reference: string, asked: Pick<Transaction, 'email' | 'amount' | 'currency'>): void {
    const { id, deed } = this.planOf(reference);
    const transaction = { id, reference, ...asked, status: null };
    this.transactions.set(reference, transaction);
    this.opened.set(reference, (this.opened.get(reference) ?? 0) + 1);
    if (deed === 'gives_back') this.giveBack(reference, Number(asked.amount));
    if (deed === 'gives_back_a_part') {
      this.giveBack(reference, 1);
      this.giveBack(reference, 2, 358_950);
    }
    if (STATUSES[deed] === 'success') this.onPaid(this.told(transaction), asked.amount);
  }

  private statusOf({ reference, status }: Transaction): string {
    return status ?? STATUSES[this.planOf(reference).deed] ?? 'success';
  }

  /** As it is verified. */
  private told(transaction: Transaction): Record<string, unknown> {
    const { id, reference, email, amount, currency } = transaction;
    const fee = feeOf(amount);
    return {
      id,
      domain: 'live',
      status: this.statusOf(transaction),
      reference,
      amount: Number(this.feeIsOnTop ? amount + fee : amount),
      requested_amount: Number(amount),
      fees: Number(fee),
      message: null,
      gateway_response: 'Successful',
      channel: 'card',
      currency,
      customer: { email },
    };
  }

  private rowOf(
    { id, reference, currency }: Pick<Transaction, 'id' | 'reference' | 'currency'>,
    amount: number,
    more: { dispute?: number | null; status: string; note?: string | undefined; reason?: string | undefined },
  ): Refund {
    return {
      id: 3_018_284 + this.refunds.length,
      transaction: id,
      amount,
      currency,
      dispute: more.dispute ?? null,
      status: more.status,
      merchant_note: more.note ?? `Refund for transaction ${reference} by test@me.com`,
      customer_note: more.reason ?? `Refund for transaction ${reference}`,
      createdAt: new Date().toISOString(),
    };
  }

  private nonsenseRow({ id }: Plan): Record<string, unknown> {
    const note = this.notes.get(id);
    return { ...this.rowOf({ id, reference: 'r', currency: 'NGN' }, 1_000, { status: 'processed', note }) };
  }
}

const INVALID = { code: 'invalid_params', nextStep: "Ensure that the value(s) you're passing are valid." };
const DUPLICATE = {
  code: 'duplicate_reference',
  nextStep: 'Try and create the Transaction or Charge with a new reference',
};

function page(query: URLSearchParams, rows: readonly object[], response: ServerResponse, message: string): void {
  const perPage = Number(query.get('perPage') ?? 50);
  const at = Number(query.get('page') ?? 1);
  const pageCount = Math.ceil(rows.length / perPage);
  const meta = { total: rows.length, skipped: (at - 1) * perPage, perPage, page: at, pageCount };
  done(response, message, rows.slice((at - 1) * perPage, at * perPage), meta);
}
