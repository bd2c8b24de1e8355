import { Injectable } from '@nestjs/common';
import type { Tx } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import { encodeId } from '../../core/http/ids';
import { CARD_TRANSITIONS, type CardStatus } from './card.entity';
import { CustomerHasCards } from './cards.errors';
import {
  EMPTY_ATTEMPTS,
  EMPTY_CALLS,
  EMPTY_CARDS,
  EMPTY_CUSTOMER,
  EMPTY_EVENTS,
  EMPTY_REQUESTS,
  SELECT_ATTEMPTS,
  SELECT_CALLS,
  SELECT_CARDS,
  SELECT_EVENTS,
  SELECT_REQUESTS,
} from './customer-traces.queries';
import { Customer } from './customer.entity';
import { CustomersService } from './customers.service';

const NOBODY = 'anonymized';
/** `ZZ`: of no country, by ISO 3166. */
const NOWHERE = { line1: NOBODY, city: NOBODY, state: NOBODY, postal_code: NOBODY, country: 'ZZ' };
const NO_BODY = JSON.stringify('Not kept: about a cardholder who was anonymized.');
/** Values of a body as JSON writes them. */
const ADDRESSES = /"(?:email|phone)":"((?:[^"\\]|\\.)+)"/g;

/** Ids of rows in which somebody is named. */
export interface CustomerTraces {
  readonly cards: readonly string[];
  readonly events: readonly string[];
  readonly webhookAttempts: readonly string[];
  readonly issuerCalls: readonly string[];
  readonly requests: readonly string[];
}

export interface TracedCustomer {
  readonly customer: Readonly<Customer>;
  readonly traces: CustomerTraces;
  /** Nothing is left to be emptied. */
  readonly isDone: boolean;
}

interface CardRow {
  readonly id: string;
  readonly status: CardStatus;
  readonly requestId: string | null;
  readonly isNamed: boolean;
}

/** Empties what is personal of a cardholder, wherever it is kept. Money is not touched, and ids stay. For the owner of the database only. */
@Injectable()
export class CustomerAnonymizing {
  constructor(private readonly customers: CustomersService) {}

  /** Looks before anything is written: the relay of webhooks waits for whoever has written and goes on looking. Throws `NotFound`, `CustomerHasCards`. */
  async trace(tx: Tx, id: string): Promise<TracedCustomer> {
    const customer = found(await tx.findOneBy(Customer, { id }), 'customer');
    const { accountId, livemode } = customer;
    const cards: CardRow[] = await tx.query(SELECT_CARDS, [accountId, livemode, id, NOBODY]);
    const open = cards.filter(({ status }) => CARD_TRANSITIONS[status].length > 0);
    if (open.length > 0) throw new CustomerHasCards(id, open);
    const ids = cards.map((card) => card.id);
    const idsOf = async (statement: string): Promise<string[]> =>
      ((await tx.query(statement, [accountId, livemode, ids])) as { id: string }[]).map((row) => row.id);
    const traces = {
      cards: cards.filter(({ isNamed }) => isNamed).map((card) => card.id),
      events: await idsOf(SELECT_EVENTS),
      webhookAttempts: await idsOf(SELECT_ATTEMPTS),
      issuerCalls: await idsOf(SELECT_CALLS),
      requests: await this.requestsOf(tx, customer, cards),
    };
    return {
      customer,
      traces,
      isDone: customer.anonymizedAt !== null && Object.values(traces).every((rows) => rows.length === 0),
    };
  }

  async empty(tx: Tx, { customer, traces }: TracedCustomer): Promise<void> {
    const { accountId, livemode, id } = customer;
    const { identityNumber } = this.customers.sealed(id, { type: customer.identityType, number: '' });
    const empty = (statement: string, ids: string | readonly string[], ...values: unknown[]) =>
      tx.query(statement, [accountId, livemode, ids, ...values]);
    await empty(EMPTY_CUSTOMER, id, NOBODY, NOWHERE, identityNumber);
    await empty(EMPTY_CARDS, traces.cards, NOBODY, NOWHERE);
    await empty(EMPTY_EVENTS, traces.events, {
      name_on_card: NOBODY,
      billing_address: NOWHERE,
      label: null,
      metadata: {},
      anonymized: true,
    });
    await empty(EMPTY_ATTEMPTS, traces.webhookAttempts);
    await empty(EMPTY_CALLS, traces.issuerCalls);
    await empty(EMPTY_REQUESTS, traces.requests, NO_BODY);
  }

  /** What registered and changed them, and whatever has an address that they had. */
  private async requestsOf(tx: Tx, customer: Readonly<Customer>, cards: readonly CardRow[]): Promise<string[]> {
    const { accountId, livemode, id, email, phone, requestId } = customer;
    const select = (
      ids: readonly (string | null)[],
      words: readonly string[],
    ): Promise<{ id: string; body: string }[]> =>
      tx.query(SELECT_REQUESTS, [
        accountId,
        livemode,
        ids.filter((one) => one !== null),
        words.map((word) => word.toLowerCase()),
        NO_BODY,
      ]);
    const own = await select([requestId, ...cards.map((card) => card.requestId)], [encodeId('cus', id)]);
    const earlier = own.flatMap(({ body }) => [...body.matchAll(ADDRESSES)].map(([, value]) => value!));
    const inJson = [email, phone, this.customers.identityOf(customer).number]
      .filter(Boolean)
      .map((value) => JSON.stringify(value).slice(1, -1));
    const named = await select([], [...inJson, ...earlier]);
    return [...new Set([...own, ...named].map((row) => row.id))];
  }
}
