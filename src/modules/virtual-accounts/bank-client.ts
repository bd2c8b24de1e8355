import { Injectable } from '@nestjs/common';
import { decodeId, encodeId } from '../../core/http/ids';
import type { Key } from '../../core/http/caller';
import { AMOUNT_MAX } from '../../core/money/money';
import {
  type AcceptedOutcome,
  fieldsOf,
  type Given,
  isReference,
  NOT_ASKED,
  refusalOf,
  scrub,
  type UnknownOutcome,
  unknownOf,
  UNREADABLE,
} from '../../providers/answers';
import { Client, type Matter } from '../../providers/client';
import { PLATFORM_ACCOUNT_ID } from '../ledger/posting';
import type { Deposit } from './deposit.entity';
import type { VirtualAccount } from './virtual-account.entity';
import type {
  AccountOrder,
  Arrival,
  ArrivalCallback,
  CloseResult,
  ConfirmResult,
  ListQuestion,
  ListResult,
  OpenResult,
  TransferQuestion,
  VirtualAccountProvider,
} from './virtual-accounts.provider';

const SUFFIX_LENGTH = 26;
const CURRENCY = /^[A-Z]{3}$/;
const ACCOUNT_NUMBER = /^[0-9A-Z]{4,34}$/;
const PAGE_MAX = 1_000;
const CURSOR_MAX = 1_000;

/** What a provider knows an account by. It says whose it is: an arrival finds it without asking every account. */
export const accountReferenceOf = ({ accountId, id }: Pick<Key, 'accountId' | 'id'>): string =>
  `${encodeId('vac', id)}_${encodeId('acct', accountId).slice(-SUFFIX_LENGTH)}`;

/** Null for anything that `accountReferenceOf` does not make. */
export function keyOfAccountReference(reference: string): Pick<Key, 'accountId' | 'id'> | null {
  const cut = reference.lastIndexOf('_');
  const id = decodeId('vac', reference.slice(0, cut));
  const accountId = decodeId('acct', `acct_${reference.slice(cut + 1)}`);
  return id !== null && accountId !== null ? { accountId, id } : null;
}

/**
 * Speaks with providers of virtual accounts. Whatever happens there is one of the outcomes here: nothing is thrown. No
 * transaction is open.
 */
@Injectable()
export class BankClient {
  constructor(private readonly client: Client) {}

  open(account: Readonly<VirtualAccount>): Promise<OpenResult> {
    return this.client.ask<VirtualAccountProvider, OpenResult>(matterOf(account, account.currency), {
      call: 'open',
      ask: (provider, signal) => provider.open(orderOf(account), signal),
      parse: asOpenResult,
      whenOpen: NOT_ASKED,
    });
  }

  close(account: Readonly<VirtualAccount>): Promise<CloseResult> {
    return this.client.ask<VirtualAccountProvider, CloseResult>(matterOf(account, account.currency), {
      call: 'close',
      ask: (provider, signal) => provider.close(orderOf(account), signal),
      parse: (value) => {
        const given = fieldsOf(value);
        return given.outcome === 'closed' ? { outcome: 'closed' } : unknownOf(given);
      },
    });
  }

  find(deposit: Readonly<Deposit>): Promise<ConfirmResult> {
    return this.client.ask<VirtualAccountProvider, ConfirmResult>(matterOf(deposit, deposit.toldCurrency), {
      call: 'find',
      ask: (provider, signal) => provider.find(questionOf(deposit), signal),
      parse: (value) => asConfirmResult(value, deposit.providerReference),
    });
  }

  /** Null: the provider cannot, and an operator does it there. */
  async giveBack(deposit: Readonly<Deposit>): Promise<AcceptedOutcome | UnknownOutcome | null> {
    let isPossible = true;
    const result = await this.client.ask<VirtualAccountProvider, AcceptedOutcome | UnknownOutcome>(
      matterOf(deposit, deposit.toldCurrency),
      {
        call: 'give_back',
        ask: async (provider, signal) => {
          isPossible = provider.giveBack !== undefined;
          return provider.giveBack?.(questionOf(deposit), signal) ?? NOT_ASKED;
        },
        parse: (value) => {
          const given = fieldsOf(value);
          return given.outcome === 'accepted' ? { outcome: 'accepted' } : unknownOf(given);
        },
      },
    );
    return isPossible ? result : null;
  }

  list(provider: string, question: ListQuestion): Promise<ListResult> {
    const { livemode, accountId } = question;
    const matter = {
      product: 'virtual_accounts',
      provider,
      network: '*',
      livemode,
      accountId: accountId ?? PLATFORM_ACCOUNT_ID,
      id: 'all',
    } as const;
    return this.client.ask<VirtualAccountProvider, ListResult>(matter, {
      call: 'list',
      ask: (adapter, signal) => adapter.list(question, signal),
      parse: asListResult,
    });
  }
}

const matterOf = (
  { provider, livemode, accountId, id }: Readonly<VirtualAccount | Deposit>,
  network: string,
): Matter => ({ product: 'virtual_accounts', provider, network, livemode, accountId, id });

const orderOf = (account: Readonly<VirtualAccount>): AccountOrder => {
  const { accountId, livemode, kind, currency, amount, label, expiresAt } = account;
  return { reference: accountReferenceOf(account), accountId, livemode, kind, currency, amount, label, expiresAt };
};

const questionOf = ({
  accountId,
  livemode,
  providerReference,
  virtualAccountId,
}: Readonly<Deposit>): TransferQuestion => ({
  providerReference,
  account: accountReferenceOf({ accountId, id: virtualAccountId }),
  accountId,
  livemode,
});

/** What an adapter returned, as far as it can be trusted: anything that is not one of the outcomes is `unknown`. */
export function asOpenResult(value: unknown): OpenResult {
  const given = fieldsOf(value);
  const { outcome, providerReference, accountNumber, accountName } = given;
  if (outcome === 'not_opened') return { outcome, ...refusalOf(given, 'account_not_opened') };
  if (outcome !== 'opened') return unknownOf(given);
  const { code = null, name } = fieldsOf(given.bank);
  const isComplete =
    isReference(providerReference) &&
    isReference(accountName) &&
    isReference(name) &&
    (code === null || isReference(code)) &&
    typeof accountNumber === 'string' &&
    ACCOUNT_NUMBER.test(accountNumber);
  return isComplete ? { outcome, providerReference, bank: { code, name }, accountNumber, accountName } : UNREADABLE;
}

/** Null: nobody could prove it later, or it says nothing of how much came where. */
function arrivalOf({ providerReference, account, amount, currency }: Given): Arrival | null {
  const isTold =
    isReference(providerReference) &&
    isReference(account) &&
    typeof amount === 'bigint' &&
    amount > 0n &&
    amount <= AMOUNT_MAX &&
    typeof currency === 'string' &&
    CURRENCY.test(currency);
  return isTold ? { providerReference, account, amount, currency } : null;
}

/** `about`: the transfer that was asked about; what is said of another one proves nothing. */
export function asConfirmResult(value: unknown, about: string): ConfirmResult {
  const given = fieldsOf(value);
  const { outcome, arrivedAt } = given;
  if (outcome === 'awaiting' || outcome === 'not_known') return { outcome };
  if (outcome !== 'received' && outcome !== 'returned') return unknownOf(given);
  const arrival = arrivalOf(given);
  if (arrival?.providerReference !== about || !(arrivedAt instanceof Date) || Number.isNaN(arrivedAt.getTime()))
    return UNREADABLE;
  const { name, bank, accountNumber } = fieldsOf(given.payer);
  const textOf = (text: unknown): string | null => (isReference(text) ? text : null);
  const payer = { name: textOf(name) ?? '', bank: textOf(bank), accountNumber: textOf(accountNumber) };
  const { fee } = given;
  const isFee = typeof fee === 'bigint' && fee >= 0n && fee <= arrival.amount;
  if (fee !== undefined && !isFee) return UNREADABLE;
  return { outcome, ...arrival, payer, ...(isFee && { fee }), sessionId: textOf(given.sessionId), arrivedAt };
}

/** One arrival that cannot be read makes the page unknown: what is left out would be lost. */
export function asListResult(value: unknown): ListResult {
  const given = fieldsOf(value);
  const { outcome, arrivals, next = null } = given;
  if (outcome !== 'listed') return unknownOf(given);
  const isPage =
    Array.isArray(arrivals) &&
    arrivals.length <= PAGE_MAX &&
    (next === null || (typeof next === 'string' && next.length <= CURSOR_MAX));
  if (!isPage) return UNREADABLE;
  const read = arrivals.map((one) => arrivalOf(fieldsOf(one))).filter((one) => one !== null);
  return read.length === arrivals.length ? { outcome, arrivals: read, next } : UNREADABLE;
}

/** What an adapter makes of a callback. Whatever is not clearly genuine is forged. */
export function asArrivalCallback(value: unknown): ArrivalCallback {
  const given = fieldsOf(value);
  if (given.outcome === 'other') return { outcome: 'other' };
  const arrival = given.outcome === 'genuine' ? arrivalOf(fieldsOf(given.arrival)) : null;
  return arrival === null ? { outcome: 'forged' } : { outcome: 'genuine', arrival };
}

const SHOWN_DIGITS = 4;

/** `******6789`. */
export const maskNumber = (number: string): string =>
  '*'.repeat(Math.max(0, number.length - SHOWN_DIGITS)) + number.slice(-SHOWN_DIGITS);

/** Names are for people to read, and banks put numbers into them. */
export const shownName = (name: string): string => scrub(name).trim();
