import type { ServerResponse } from 'node:http';
import { type Currency, decimalText, fromMajor } from '../../../src/core/money/money';
import type { GatewayDeed } from '../../contracts/gateway-rules';
import type { Heard } from '../pretended';
import { done, fault, lockOut, NONSENSE, page } from './talk';

interface Plan {
  readonly deed: GatewayDeed;
  readonly kind: number;
  /** Of the transaction that is paid, if one is. */
  readonly id: number;
}

/** One try of a payer. Amounts are minor units. */
export interface Transaction {
  readonly id: number;
  readonly tx_ref: string;
  readonly flw_ref: string;
  readonly email: string;
  readonly amount: bigint;
  readonly currency: Currency;
  status: string;
}

export interface Refund {
  readonly id: number;
  readonly transaction_id: number;
  readonly flw_ref: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly comment: string | null;
  status: string;
}

interface Page {
  readonly email: string;
  readonly amount: bigint;
  readonly currency: Currency;
}

type Given = Record<string, unknown>;
type Row = Readonly<Given>;

const PAYS: readonly GatewayDeed[] = ['pays', 'gives_back', 'gives_back_a_part', 'keeps_the_money'];
const FEE_MAX = 200_000n;
/** 1.4 %, at most 2,000, in hundredths of a minor unit: Flutterwave tells more decimals than there are. */
const feeOf = (amount: bigint): bigint => (amount * 14n) / 10n;
const capped = (amount: bigint): bigint => (feeOf(amount) > FEE_MAX * 100n ? FEE_MAX * 100n : feeOf(amount));

/** Major units of minor ones; as a number, as Flutterwave has them. */
const major = (amount: bigint, currency: Currency): number => Number(decimalText({ amount, currency }));

/** Pages, what was tried there, and what went back. */
export class Payments {
  /** How many pages were opened for a reference. */
  readonly opened = new Map<string, number>();
  readonly transactions: Transaction[] = [];
  readonly refunds: Refund[] = [];
  /** As they are listed. */
  readonly chargebacks: Row[] = [];
  /** Payers pay the fee on top. */
  feeIsOnTop = false;
  /** How a refund stands when it was asked for; `completed` goes on each time that it is listed, to `completed-mpgs`. */
  refundsBegin = 'completed';
  /** Lists heed what they are asked for. */
  listsAreFiltered = true;
  /** Lists of refunds have the comments that were given. */
  tellsComments = true;
  /** Of a list of refunds `id` is the refund's own. */
  idIsOfRefund = false;
  /** What stands in the nonsense about a refund, by transaction. */
  readonly notes = new Map<number, string>();
  /** Which try of several is told: the latest, unless this says the first. */
  tellsTheFirst = false;
  private readonly pages = new Map<string, Page>();
  private readonly plans = new Map<string, Plan>();
  private readonly moving = new Set<Refund>();
  private lastId = 4_975_362;

  constructor(
    private readonly onTried: (data: Row, settled: bigint) => void,
    private readonly onRefunded: (data: Row, amount: bigint) => void,
  ) {}

  plan(reference: string, deed: GatewayDeed, kind = 0): void {
    this.plans.set(reference, { deed, kind, id: ++this.lastId });
  }

  /** Of the transaction that is paid, be it there or only planned. */
  idOf(reference: string): number {
    return this.plans.get(reference)!.id;
  }

  /** The payer tries: pays, fails, or is at it. */
  attempt(reference: string, status: string, more: Partial<Transaction> = {}): Transaction {
    const { email, amount, currency } = this.pages.get(reference)!;
    const isFirstPaid = status === 'successful' && !this.transactions.some(({ id }) => id === this.idOf(reference));
    const id = isFirstPaid ? this.idOf(reference) : ++this.lastId;
    const tried = { id, tx_ref: reference, flw_ref: `FLW-PRETENDED-${id}`, email, amount, currency, status, ...more };
    this.transactions.push(tried);
    this.onTried(this.told(tried), status === 'successful' ? this.settledOf(tried) : 0n);
    return tried;
  }

  /** As from the dashboard. */
  giveBack(
    reference: string,
    amount: bigint,
    status = 'completed-mpgs',
    comment: string | null = 'Out of stock',
  ): Refund {
    return this.addRefund(this.byId(this.idOf(reference))!, { amount, status, comment });
  }

  chargeBack(reference: string, amount: bigint, status: string): Row {
    const { id, tx_ref, flw_ref, currency } = this.byId(this.idOf(reference))!;
    const stage = { stage: 'new', comment: 'Product/service not received', due_date: '2026-12-03T15:59:59.000Z' };
    const row = {
      id: ++this.lastId,
      amount: major(amount, currency),
      flw_ref,
      status,
      ...stage,
      transaction_id: id,
      tx_ref,
    };
    this.chargebacks.push(row);
    return row;
  }

  open({ body }: Heard, response: ServerResponse): void {
    const { tx_ref: reference = '', amount, currency = 'NGN', customer } = (body ?? {}) as Given;
    const { deed, kind } = this.planOf(String(reference));
    const { email } = (customer ?? {}) as Given;
    const wanted = fromMajor(amount, currency as Currency);
    if (reference === '') return fault(response, 400, 'tx_ref is required');
    if (typeof email !== 'string' || !/^\S+@\S+$/.test(email))
      return fault(response, 400, 'customer email is required');
    if (wanted === null || wanted === 0n || deed === 'refuses') return fault(response, 400, 'amount is required');
    this.opened.set(String(reference), (this.opened.get(String(reference)) ?? 0) + 1);
    this.pages.set(String(reference), { email, amount: wanted, currency: currency as Currency });
    this.tryAsPlanned(String(reference));
    if (deed === 'stays_silent') return;
    const name = `flwlnk-${(++this.lastId).toString(36).padStart(26, '0')}`;
    const data = { link: `https://checkout.flutterwave.com/v3/hosted/pay/${name}` };
    if (deed === 'talks_nonsense') return NONSENSE[kind]!(response, data, false);
    done(response, 'Hosted Link', data);
  }

  verifyByReference({ query }: Heard, response: ServerResponse): void {
    const reference = query.get('tx_ref') ?? '';
    const tried = this.transactions.filter(({ tx_ref }) => tx_ref === reference);
    this.verify(reference, this.tellsTheFirst ? tried[0] : tried.at(-1), response);
  }

  verifyById(id: string, response: ServerResponse): void {
    const found = this.byId(Number(id));
    const [planned] = [...this.plans].find(([, plan]) => plan.id === Number(id)) ?? [];
    this.verify(found?.tx_ref ?? planned ?? '', found, response);
  }

  list({ query }: Heard, response: ServerResponse): void {
    const reference = query.get('tx_ref') ?? '';
    const plan = this.plans.get(reference);
    if (plan?.deed === 'talks_nonsense') return NONSENSE[plan.kind]!(response, this.nonsenseOf(reference, plan), true);
    const isMeant = ({ tx_ref }: Transaction) => !this.listsAreFiltered || tx_ref === reference;
    // Ids are texts in lists.
    const rows = this.transactions.filter(isMeant).map((one) => ({ ...this.told(one), id: String(one.id) }));
    page(query, rows.reverse(), response, 'Transactions fetched');
  }

  createRefund(id: string, { body }: Heard, response: ServerResponse): void {
    const plan = [...this.plans.values()].find((one) => one.id === Number(id));
    if (plan?.deed === 'stays_silent') return;
    if (plan?.deed === 'talks_nonsense') return NONSENSE[plan.kind]!(response, this.nonsenseRow(plan), false);
    const transaction = this.byId(Number(id));
    if (transaction?.status !== 'successful') return fault(response, 400, 'No transaction was found for this id');
    const { amount, comments } = (body ?? {}) as Given;
    const wanted = fromMajor(amount, transaction.currency) ?? transaction.amount;
    const given = this.refunds.filter((one) => one.transaction_id === transaction.id && one.status !== 'failed');
    if (given.reduce((sum, one) => sum + one.amount, wanted) > transaction.amount)
      return fault(response, 400, 'Refund amount is greater than what is left');
    const status = plan?.deed === 'keeps_the_money' ? 'failed' : this.refundsBegin;
    const comment = typeof comments === 'string' ? comments : null;
    const refund = this.addRefund(transaction, { amount: wanted, status, comment });
    if (status === 'completed') this.moving.add(refund);
    const { comment: _, settlement_id: __, transaction_id: tx_id, ...row } = this.rowOf(refund);
    const more = { tx_id, wallet_id: 74_639, destination: 'payment_source', meta: { source: 'availablebalance' } };
    done(response, 'Transaction refund initiated', { ...row, ...more });
  }

  findRefund(id: string, response: ServerResponse): void {
    const refund = this.refunds.find((one) => one.id === Number(id));
    if (refund === undefined) return fault(response, 404, 'Refund not found');
    done(response, 'Refund fetched', this.rowOf(refund));
  }

  listRefunds({ query }: Heard, response: ServerResponse): void {
    const [id, name] = [query.get('id'), query.get('flw_ref')];
    const plan = [...this.plans.values()].find((one) => String(one.id) === id);
    if (plan?.deed === 'stays_silent') return;
    if (plan?.deed === 'talks_nonsense') return NONSENSE[plan.kind]!(response, this.nonsenseRow(plan), true);
    const isMeant = (one: Refund) =>
      !this.listsAreFiltered ||
      ((id === null || String(this.idIsOfRefund ? one.id : one.transaction_id) === id) &&
        (name === null || one.flw_ref === name));
    const rows = this.refunds.filter(isMeant);
    page(query, rows.map((one) => this.rowOf(one)).reverse(), response, 'Refunds fetched');
    for (const row of rows) if (this.moving.has(row)) this.goOn(row);
  }

  listChargebacks({ query }: Heard, response: ServerResponse): void {
    const isMeant = (one: Row) => !this.listsAreFiltered || String(one.transaction_id) === query.get('id');
    page(query, this.chargebacks.filter(isMeant), response, 'Chargebacks fetched');
  }

  private verify(reference: string, transaction: Transaction | undefined, response: ServerResponse): void {
    const plan = this.plans.get(reference);
    if (plan?.deed === 'stays_silent') return;
    if (plan?.deed === 'talks_nonsense') return NONSENSE[plan.kind]!(response, this.nonsenseOf(reference, plan), false);
    if (plan?.deed === 'locks_us_out' && this.pages.has(reference)) return lockOut(response, plan.kind);
    if (transaction === undefined) return fault(response, 400, 'No transaction was found for this id');
    done(response, 'Transaction fetched successfully', this.told(transaction));
  }

  private tryAsPlanned(reference: string): void {
    const { deed } = this.planOf(reference);
    if (this.transactions.some(({ tx_ref }) => tx_ref === reference)) return;
    if (deed === 'declines') this.attempt(reference, 'failed');
    if (!PAYS.includes(deed)) return;
    const { amount } = this.attempt(reference, 'successful');
    if (deed === 'gives_back') this.giveBack(reference, amount);
    if (deed !== 'gives_back_a_part') return;
    this.giveBack(reference, 100n);
    this.chargeBack(reference, 200n, 'lost');
  }

  private goOn(refund: Refund): void {
    refund.status = refund.status === 'completed' ? 'processing' : 'completed-mpgs';
    if (refund.status !== 'completed-mpgs') return;
    this.moving.delete(refund);
    const { id, status, transaction_id, flw_ref, amount, currency } = refund;
    // Callbacks of refunds have names of their own, and no `event`.
    const told = { AmountRefunded: major(amount, currency), status, FlwRef: flw_ref, TransactionId: transaction_id };
    this.onRefunded({ id, ...told }, amount);
  }

  private addRefund(
    { id, flw_ref, currency }: Transaction,
    more: Pick<Refund, 'amount' | 'status' | 'comment'>,
  ): Refund {
    const refund = { id: 97_467 + this.refunds.length, transaction_id: id, flw_ref, currency, ...more };
    this.refunds.push(refund);
    return refund;
  }

  private byId(id: number): Transaction | undefined {
    return this.transactions.find((one) => one.id === id);
  }

  private planOf(reference: string): Plan {
    if (!this.plans.has(reference)) this.plan(reference, 'pays');
    return this.plans.get(reference)!;
  }

  /** Minor units that the payer was asked for, and that Flutterwave keeps of them. */
  booked(reference: string): { asked: bigint; kept: bigint } {
    const paid = this.transactions.find((one) => one.tx_ref === reference && one.status === 'successful')!;
    return { asked: this.pages.get(reference)!.amount, kept: paid.amount - this.settledOf(paid) };
  }

  /** Minor units, the nearest. */
  private settledOf({ amount }: Transaction): bigint {
    return this.feeIsOnTop ? amount : (amount * 100n - capped(amount) + 50n) / 100n;
  }

  /** As it is verified. */
  private told({ email, amount, currency, status, ...transaction }: Transaction): Given {
    const fee = Number(capped(amount)) / 10_000;
    const isPaid = status === 'successful';
    return {
      ...transaction,
      amount: major(amount, currency),
      currency,
      charged_amount: major(amount, currency) + (this.feeIsOnTop ? fee : 0),
      app_fee: isPaid ? fee : null,
      merchant_fee: 0,
      processor_response: isPaid ? 'Approved' : 'Declined',
      narration: 'CARD Transaction',
      status,
      payment_type: 'card',
      account_id: 118_468,
      meta: null,
      amount_settled: isPaid ? major(amount, currency) - (this.feeIsOnTop ? 0 : fee) : null,
      customer: { id: 2_374_551, email },
    };
  }

  private rowOf({ amount, currency, comment: given, ...refund }: Refund): Given {
    const comment = this.tellsComments ? given : null;
    const more = { settlement_id: 'N/A', meta: '{"source":"availablebalance"}', account_id: 118_468 };
    return {
      ...refund,
      amount_refunded: major(amount, currency),
      comment,
      ...more,
      created_at: '2026-11-25T09:18:37.000Z',
    };
  }

  private nonsenseOf(reference: string, { id }: Plan): Given {
    const made = { id, tx_ref: reference, flw_ref: `FLW-PRETENDED-${id}`, email: 'ada@example.com' };
    return this.told({ ...made, amount: 100_000n, currency: 'NGN', status: 'successful' });
  }

  private nonsenseRow({ id }: Plan): Given {
    const flw_ref = `FLW-PRETENDED-${id}`;
    const made = { id: 97_466, transaction_id: id, flw_ref, amount: 1_000n, currency: 'NGN' } as const;
    return this.rowOf({ ...made, comment: this.notes.get(id) ?? null, status: 'completed-mpgs' });
  }
}
