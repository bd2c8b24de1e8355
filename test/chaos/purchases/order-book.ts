import { randomUUID } from 'node:crypto';
import type { Deed, Manner, Plan } from './deeds';
import { indexOf } from './orders';

/** A top-up in the words of the protocol. */
export type Topup = Readonly<Record<string, string>> & { readonly reference: string };

/** What the operator knows of a reference. */
export interface Entry {
  readonly reference: string;
  /** Which order of the run it is for. */
  readonly index: number;
  readonly seller: string;
  readonly amount: string;
  readonly deed: Deed;
  readonly receipt: string;
  /** How often it came: this operator sells again each time, so that nobody may rely on its patience. */
  arrivals: number;
  sales: number;
  requeries: number;
  /** How often it said that it does not know the reference. */
  denials: number;
  readonly story: string[];
}

/** A requery, and how it is answered. */
export interface Inquiry {
  readonly entry: Entry;
  readonly manner: Manner;
}

/** What the operator really sold. The truth, whatever its answers say. */
export class OrderBook {
  readonly entries = new Map<string, Entry>();
  /** Requeries of references that never came. */
  readonly strangers = new Map<string, number>();

  constructor(private readonly plan: Plan) {}

  take(seller: string, { reference, msisdn, amount }: { reference: string; msisdn: string; amount: string }): Entry {
    const index = indexOf(msisdn);
    const entry: Entry = this.entries.get(reference) ?? {
      reference,
      index,
      seller,
      amount,
      deed: this.plan.of(index, seller),
      receipt: `R-${randomUUID()}`,
      arrivals: 0,
      sales: 0,
      requeries: 0,
      denials: 0,
      story: [],
    };
    this.entries.set(reference, entry);
    entry.arrivals++;
    if (entry.deed.fate === 'sells') entry.sales++;
    return entry;
  }

  /** How this requery is answered. Null: nobody ever ordered that. */
  inquire(reference: string): Inquiry | null {
    const entry = this.entries.get(reference);
    if (entry === undefined) {
      this.strangers.set(reference, (this.strangers.get(reference) ?? 0) + 1);
      return null;
    }
    const manner = entry.deed.requeries[entry.requeries++] ?? 'truth';
    if (manner === 'truth' && entry.deed.fate === 'sells_later' && entry.sales === 0) entry.sales++;
    return { entry, manner };
  }

  /** What it would say about an order if it spoke the truth. Null: it does not have it. */
  topupOf({ reference, amount, deed, receipt, sales }: Entry): Topup | null {
    if (sales > 0) return { reference, status: 'done', id: receipt, amount, operator_reference: receipt };
    if (deed.fate === 'refuses') return { reference, status: 'refused', reason: 'barred' };
    if (deed.fate === 'passes') return { reference, status: 'refused', reason: 'operator_down' };
    return deed.fate === 'loses' ? null : { reference, status: 'pending' };
  }

  /** How often the operator told that it does not know a reference. */
  denialsOf(reference: string): number {
    return this.entries.get(reference)?.denials ?? this.strangers.get(reference) ?? 0;
  }

  /** All that came in for one order of the run. */
  of(index: number): Entry[] {
    return [...this.entries.values()].filter((entry) => entry.index === index);
  }
}
