import type { CallbackRequest } from '../../src/providers/answers';
import type { Order, Provider } from '../../src/modules/purchases/purchases.provider';

/** What the other side does about one order. */
export type Deed =
  /** Sells and says so. */
  | 'delivers'
  /** Does not sell, and says so in a way that leaves no doubt. */
  | 'refuses'
  /** Sells; nothing of its answer ever arrives. */
  | 'stays_silent'
  /** Sells; its answer comes byte by byte and never ends. */
  | 'drips'
  /** Sells; what it answers makes no sense. */
  | 'talks_nonsense'
  /** Sells, and nothing of its answer arrives; at each requery it says that our account is locked, or empty, and nothing about the order. */
  | 'locks_us_out'
  /** Answers nothing, neither now nor at a requery. */
  | 'goes_dark'
  /** Answers nonsense, now and at each requery. */
  | 'loses_its_mind';

export type Ending = 'delivered' | 'failed' | 'reversed';

/** A provider whose other side is in the hands of the test. */
export interface Rig<Item extends object = object> {
  readonly provider: Provider<Item>;
  /** A new order, about which the other side will do as told. Nobody was asked yet. */
  readonly order: (deed: Deed) => Order<Item>;
  /** Resolves when the other side, asked about the reference for the next time, is at its deed. Absent: it never leaves one waiting. */
  readonly begun?: (reference: string) => Promise<unknown>;
  /** How often the other side sold for the reference. Absent: nobody counts. */
  readonly sales?: (reference: string) => number;
  /**
   * What the other side has in its books of a sale, in minor units of the order's currency: what it was asked for, and
   * what it took out of our float for it. Absent: it cannot be looked at; `taken` absent: our float there is in another
   * currency.
   */
  readonly booked?: (reference: string) => { readonly asked: bigint; readonly taken?: bigint };
  /** Of a side that may have an order under way for a while. Absent: it answers at once. */
  readonly later?: {
    /** A new order, which the other side takes and has under way until it ends. */
    readonly order: () => Order<Item>;
    readonly end: (reference: string, how: Ending) => Promise<void> | void;
    /** What may become of it; `reversed`: it was delivered, and is taken back. */
    readonly endings: readonly Ending[];
  };
  /** A new order, of which the other side will deliver `arrives` (minor units) and no more. Absent: all or nothing. */
  readonly partly?: () => { readonly order: Order<Item>; readonly arrives: bigint };
  /** No token that the other side gave is good from now on. Absent: it gives none. */
  readonly expireTokens?: () => void;
  /** How many kinds of nonsense there are: one order after another gets the next. 1 when absent. */
  readonly kindsOfNonsense?: number;
  /** After this time a provider counts as hanging; far above what an answer takes. 5,000 when absent. */
  readonly patienceMs?: number;
  /** Of a provider that calls back. Absent: it does not. */
  readonly callbacks?: {
    /** Signed by the other side; null: about no order of ours. */
    readonly own: (reference: string | null) => CallbackRequest;
    /** The same, as another provider signs its own. */
    readonly foreign: (reference: string) => CallbackRequest;
    /** It signs nothing: a secret of the address, or of a header, is all that tells it from others. */
    readonly isUnsigned?: true;
  };
  readonly close?: () => Promise<void>;
}
