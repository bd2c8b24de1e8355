import type { CallbackRequest } from '../../../src/providers/answers';
import { referenceOf } from '../../../src/extensions/vtpass/request-id';
import type { Deed } from '../../contracts/rig';
import { Company as Monnify } from '../../pretended/monnify/company';
import { Company as Paystack } from '../../pretended/paystack/company';
import { Company as Reloadly } from '../../pretended/reloadly/company';
import { Company as Vtpass } from '../../pretended/vtpass/company';
import type { Pretended } from '../../pretended/pretended';
import type { Caller } from './callbacks';

/** What a company does with an order. */
export interface Fate {
  readonly deed: Deed;
  /** Under way, until it is ended. */
  readonly isOpen?: boolean;
}

export type End = 'delivered' | 'failed' | 'taken_back';

/** Something in a company's own books. Kobo. */
export interface Booked {
  /** Ours. */
  readonly reference: string;
  /** As its statement calls it. */
  readonly name: string;
  /** What our money there went down by, one after the other. */
  readonly lines: readonly bigint[];
}

/** An order. */
interface Sale extends Booked {
  /** How often the customer has it. */
  readonly deliveries: number;
}

/** What the run does with a company, in the words of none. Orders have the names that the company was given. */
export interface Desk extends Caller {
  readonly company: Pretended;
  /** Our money there, in kobo. */
  readonly balance: bigint;
  readonly sales: readonly Sale[];
  onOrder(decide: (order: string) => void): void;
  plan(order: string, fate: Fate, kind: number): void;
  /** Ends what is open, or takes back what was delivered, and calls back. Of an order that cannot come to it, nothing. */
  end(order: string, end: End): void;
}

export const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const BACK: readonly string[] = ['failed', 'reversed'];
/** What was paid, and came back where it did. */
const linesOf = (cost: bigint, isBack: boolean): bigint[] => (isBack ? [cost, -cost] : [cost]);

class VtpassDesk implements Desk {
  readonly name = 'vtpass';
  readonly path = 'purchases/vtpass';
  readonly company = new Vtpass();

  get balance(): bigint {
    return this.company.balance;
  }

  get sales(): Sale[] {
    return [...this.company.sales].map(([order, times]) => {
      const { status, cost, transactionId } = this.company.transactions.get(order)!;
      const isBack = BACK.includes(status);
      const lines = Array.from({ length: times }, () => linesOf(cost, isBack)).flat();
      return {
        reference: referenceOf(order) ?? order,
        name: transactionId,
        deliveries: status === 'delivered' ? times : 0,
        lines,
      };
    });
  }

  onOrder(decide: (order: string) => void): void {
    this.company.decide = decide;
  }

  plan(order: string, { deed, isOpen }: Fate, kind: number): void {
    this.company.plan(order, isOpen ? 'pends' : deed, kind);
  }

  end(order: string, end: End): void {
    const status = this.company.transactions.get(order)?.status;
    if (end === 'taken_back' ? status !== 'delivered' : status !== 'pending') return;
    void this.company.resolve(order, end === 'taken_back' ? 'reversed' : end);
  }

  callback(order: string, isForged: boolean): CallbackRequest {
    const secret = isForged ? 'another' : this.company.settings.VTPASS_CALLBACK_SECRET!;
    const body = Buffer.from(JSON.stringify(this.company.callback(order)));
    return { body, headers: { 'content-type': 'application/json' }, query: { secret } };
  }
}

/** Reloadly reckons in a thousandth of a kobo. */
const UNITS = 1_000n;

class ReloadlyDesk implements Desk {
  readonly name = 'reloadly';
  readonly path = 'purchases/reloadly';
  readonly company = new Reloadly();

  constructor() {
    // Of an account in another currency the books have dollars: they are compared in naira.
    this.company.currency = 'NGN';
  }

  get balance(): bigint {
    return this.company.float / UNITS;
  }

  get sales(): Sale[] {
    return this.company.topups
      .filter(({ status }) => status === 'SUCCESSFUL')
      .map(({ reference, cost }) => ({
        reference,
        name: reference,
        deliveries: this.company.sales.get(reference)!,
        lines: [cost / UNITS],
      }));
  }

  onOrder(decide: (order: string) => void): void {
    this.company.decide = decide;
  }

  plan(order: string, { deed, isOpen }: Fate, kind: number): void {
    this.company.plan(order, isOpen ? 'takes_its_time' : deed, kind);
  }

  /** It takes nothing back that was delivered. */
  end(order: string, end: End): void {
    const isOpen = this.company.topups.some((one) => one.reference === order && one.status === 'PROCESSING');
    if (isOpen && end !== 'taken_back') this.company.settle(order, end === 'delivered' ? 'SUCCESSFUL' : 'FAILED');
  }

  callback(order: string, isForged: boolean): CallbackRequest {
    return isForged ? this.company.callbacks.foreign(order) : this.company.callbacks.own(order);
  }
}

class MonnifyDesk implements Desk {
  readonly name = 'monnify';
  readonly path = 'purchases/monnify';
  readonly company = new Monnify();

  get balance(): bigint {
    return this.company.transfers.balance;
  }

  get sales(): Sale[] {
    const { all, times } = this.company.transfers;
    return [...times].map(([reference, paid]) => {
      const { amount, fee, status } = all.get(reference)!;
      const isBack = status === 'REVERSED';
      const lines = Array.from({ length: paid }, () => linesOf(amount + fee, isBack)).flat();
      return { reference, name: reference, deliveries: isBack ? 0 : paid, lines };
    });
  }

  onOrder(decide: (order: string) => void): void {
    this.company.decide = decide;
  }

  plan(order: string, { deed, isOpen }: Fate, kind: number): void {
    this.company.plan(order, deed, { kind, ...(isOpen && { outcome: { status: 'PENDING', description: '' } }) });
  }

  end(order: string, end: End): void {
    const status = this.company.transfers.all.get(order)?.status;
    if (status !== (end === 'taken_back' ? 'SUCCESS' : 'PENDING')) return;
    void this.company.end(order, { delivered: 'SUCCESS', failed: 'FAILED', taken_back: 'REVERSED' }[end]);
  }

  callback(order: string, isForged: boolean): CallbackRequest {
    const event = this.company.transferEvent(order);
    return isForged ? this.company.signed(event, 'another') : this.company.signed(event);
  }
}

class PaystackDesk implements Desk {
  readonly name = 'paystack';
  readonly path = 'purchases/paystack';

  constructor(readonly company: Paystack) {
    company.transfers.balance = 100_000_000_000n;
  }

  /** Without what it collected. */
  get balance(): bigint {
    return this.company.balance - this.company.collected;
  }

  get sales(): Sale[] {
    const { all, sales } = this.company.transfers;
    return [...sales].map(([reference, times]) => {
      const { amount, fee, status } = all.get(reference)!;
      const lines = Array.from({ length: times }, () => linesOf(amount + fee, BACK.includes(status))).flat();
      return { reference, name: reference, deliveries: status === 'success' ? times : 0, lines };
    });
  }

  onOrder(decide: (order: string) => void): void {
    this.company.transfers.decide = decide;
  }

  plan(order: string, { deed, isOpen }: Fate, kind: number): void {
    this.company.transfers.plan(order, deed, kind, isOpen ? 'pending' : 'success');
  }

  end(order: string, end: End): void {
    const status = this.company.transfers.all.get(order)?.status;
    if (status !== (end === 'taken_back' ? 'success' : 'pending')) return;
    this.company.transfers.setStatus(order, { delivered: 'success', failed: 'failed', taken_back: 'reversed' }[end]);
  }

  callback(order: string, isForged: boolean): CallbackRequest {
    const data = { reference: order };
    return isForged
      ? this.company.callback('transfer.success', data, 'sk_live_another')
      : this.company.callback('transfer.success', data);
  }
}

/** Two that sell airtime, and two that pay out. */
export const openDesks = (paystack: Paystack): Desk[] => [
  new VtpassDesk(),
  new ReloadlyDesk(),
  new MonnifyDesk(),
  new PaystackDesk(paystack),
];
