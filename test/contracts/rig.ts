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

/** A provider whose other side is in the hands of the test. */
export interface Rig<Item extends object = object> {
  readonly provider: Provider<Item>;
  /** A new order, about which the other side will do as told. Nobody was asked yet. */
  readonly order: (deed: Deed) => Order<Item>;
  /** Resolves when the other side, asked about the reference for the next time, is at its deed. Absent: it never leaves one waiting. */
  readonly begun?: (reference: string) => Promise<unknown>;
  /** How often the other side sold for the reference. Absent: nobody counts. */
  readonly sales?: (reference: string) => number;
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
  };
  readonly close?: () => Promise<void>;
}
