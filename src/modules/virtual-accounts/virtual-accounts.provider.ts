import type { Currency } from '../../core/money/money';
import type { CallbackRequest, NotKnownOutcome, Refused, UnknownOutcome } from '../../providers/answers';
import { type AdapterOptions, adapts, type Checkable } from '../../providers/registry';
import type { BankName, VirtualAccountKind } from './virtual-account.entity';

/** A number that a provider is asked for. */
export interface AccountOrder {
  /** Ours, the same in every repetition: the provider opens one account for it. Up to 64 of `[a-z0-9_]`. */
  readonly reference: string;
  readonly accountId: string;
  readonly livemode: boolean;
  readonly kind: VirtualAccountKind;
  readonly currency: Currency;
  /** Minor units that a one-time account asks for; null: whatever comes. */
  readonly amount: bigint | null;
  /** For the name of the account. */
  readonly label: string | null;
  readonly expiresAt: Date | null;
}

/** Payers can pay. */
interface Opened {
  readonly outcome: 'opened';
  /** The provider's own id. */
  readonly providerReference: string;
  readonly bank: BankName;
  readonly accountNumber: string;
  readonly accountName: string;
}

/** The provider certainly opened no account, and will not. */
interface NotOpened extends Refused {
  readonly outcome: 'not_opened';
}

export type OpenResult = Opened | NotOpened | UnknownOutcome;

export type CloseResult = { readonly outcome: 'closed' } | UnknownOutcome;

/** A transfer that somebody tells of. Not believed: the provider is asked about it. */
export interface Arrival {
  /** The provider's own id of the transfer, the same whoever tells of it: each is one deposit. */
  readonly providerReference: string;
  /** Our `AccountOrder.reference`: where it arrived. */
  readonly account: string;
  /** Minor units. */
  readonly amount: bigint;
  /** ISO 4217, in capitals. */
  readonly currency: string;
}

/** A transfer that a provider is asked about. */
export interface TransferQuestion {
  readonly providerReference: string;
  /** Ours. */
  readonly account: string;
  readonly accountId: string;
  readonly livemode: boolean;
}

/** What the provider certainly knows of a transfer. */
export interface ConfirmedArrival extends Arrival {
  /** `received`: it has the money; `returned`: it had it, and gave it back to the payer. */
  readonly outcome: 'received' | 'returned';
  readonly payer: {
    readonly name: string;
    readonly bank: string | null;
    /** Masked before it is kept. */
    readonly accountNumber: string | null;
  };
  /** Minor units that the provider keeps of it, where it says so: ours to bear. */
  readonly fee?: bigint;
  /** By which banks find a transfer. */
  readonly sessionId: string | null;
  readonly arrivedAt: Date;
}

/** `awaiting`: the provider has not booked it yet; `not_known`: it has no such transfer. */
export type ConfirmResult = ConfirmedArrival | NotKnownOutcome | UnknownOutcome | { readonly outcome: 'awaiting' };

/** What arrived is asked for by pages. */
export interface ListQuestion {
  readonly livemode: boolean;
  /** Of this account only; null: of all. */
  readonly accountId: string | null;
  /** Transfers from then on; more does no harm. */
  readonly since: Date;
  /** `next` of the page before. */
  readonly cursor: string | null;
}

export type ListResult =
  | { readonly outcome: 'listed'; readonly arrivals: readonly Arrival[]; readonly next: string | null }
  | UnknownOutcome;

/** `genuine`: the provider's own, about a transfer; `other`: its own, about none. */
export type ArrivalCallback =
  | { readonly outcome: 'genuine'; readonly arrival: Arrival }
  | { readonly outcome: 'other' }
  | { readonly outcome: 'forged' };

/** A port to whoever has accounts with numbers for us. No database transaction is open when it is asked. */
export interface VirtualAccountProvider extends Checkable {
  /** Repeated with the same reference it opens one account and answers alike. */
  open(order: AccountOrder, signal: AbortSignal): Promise<OpenResult>;
  /** Lets no more transfers in, as far as it can; what arrives all the same is told of. May be repeated. */
  close(order: AccountOrder, signal: AbortSignal): Promise<CloseResult>;
  /** What became of a transfer: asked before anything is believed. */
  find(transfer: TransferQuestion, signal: AbortSignal): Promise<ConfirmResult>;
  /** All that arrived: asked once a day for what no callback told of. */
  list(question: ListQuestion, signal: AbortSignal): Promise<ListResult>;
  /** Gives a transfer back to its payer, once however often it is asked. Absent: an operator does it there. */
  giveBack?(
    transfer: TransferQuestion,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: 'accepted' } | UnknownOutcome>;
  /**
   * Whether a callback is signed by the provider, over its raw bytes and compared in constant time; and what it is
   * about.
   */
  verify(callback: CallbackRequest): ArrivalCallback | Promise<ArrivalCallback>;
}

export interface VirtualAccountSettings extends AdapterOptions {
  /** Empty: all. */
  readonly currencies?: readonly Currency[];
}

/** Marks a Nest provider class as one that has accounts with numbers. Takes only a class that is one. */
export const OffersVirtualAccounts = adapts<VirtualAccountProvider, VirtualAccountSettings>('virtual_accounts');
