import { Injectable } from '@nestjs/common';
import type { Tx } from '../../core/database/unit-of-work';
import { DomainError, found } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import { type Card, CARD_TRANSITIONS, type CardStatus } from './card.entity';
import { Customer } from './customers/customer.entity';
import { CustomersService } from './customers/customers.service';

/** Whose cards still work needs a name. */
class CustomerHasCards extends DomainError {
  constructor(id: string, cards: readonly Pick<Card, 'id' | 'status'>[]) {
    const named = cards.map((card) => `${encodeId('crd', card.id)} is ${card.status}`).join(', ');
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Cardholder has cards',
      resourceId: encodeId('cus', id),
      recovery: 'caller_must_fix',
      detail: `Terminate their cards first: ${named}.`,
    });
  }
}

const NOBODY = 'anonymized';
/** `ZZ`: of no country, by ISO 3166. */
const NOWHERE = { line1: NOBODY, city: NOBODY, state: NOBODY, postal_code: NOBODY, country: 'ZZ' };
/** As events show it. */
const NO_PERSON = {
  first_name: NOBODY,
  last_name: NOBODY,
  email: '',
  phone: '',
  date_of_birth: '0001-01-01',
  address: NOWHERE,
  kyc_failure: null,
};
const NO_BODY = JSON.stringify('Not kept: about a cardholder who was anonymized.');
/** Values of a body as JSON writes them. */
const ADDRESSES = /"(?:email|phone)":"((?:[^"\\]|\\.)+)"/g;

// Where the person behind a cardholder is named besides `customers`. Statements of the owner of the database: a running
// process may change no event.

/** Account, mode, cardholder. */
const SELECT_CARDS = `
  SELECT id, status, request_id AS "requestId", name_on_card <> $4 AS "isNamed" FROM cards
   WHERE account_id = $1 AND livemode = $2 AND customer_id = $3 ORDER BY id`;

/** Account, mode, cards and cardholder. */
const SELECT_EVENTS = `
  SELECT id FROM events
   WHERE account_id = $1 AND livemode = $2 AND object_type IN ('crd', 'cus') AND object_id = ANY ($3::uuid[])
     AND NOT coalesce(snapshot::jsonb, '{"anonymized": true}') ? 'anonymized'`;

/**
 * What receivers answered to events about them and their cards, and issuers said of these: either may say a name again.
 * Account, mode, cards and cardholder.
 */
const SELECT_ATTEMPTS = `
  SELECT a.id FROM events e
    JOIN webhook_deliveries d ON d.account_id = e.account_id AND d.livemode = e.livemode AND d.event_id = e.id
    JOIN webhook_attempts a ON a.account_id = d.account_id AND a.livemode = d.livemode AND a.delivery_id = d.id
   WHERE e.account_id = $1 AND e.livemode = $2 AND e.object_type IN ('crd', 'cus') AND e.object_id = ANY ($3::uuid[])
     AND a.response_body IS NOT NULL`;
const SELECT_CALLS = `
  SELECT id FROM issuer_calls WHERE account_id = $1 AND livemode = $2 AND card_id = ANY ($3::uuid[])
    AND message IS NOT NULL`;

/** Account, mode, requests, what the address or the body has in lower case, what stands there once it is emptied. */
const SELECT_REQUESTS = `
  SELECT id, request_body AS body FROM request_log
   WHERE account_id = $1 AND livemode = $2 AND request_body <> $5
     AND (id = ANY ($3::uuid[]) OR EXISTS (
       SELECT 1 FROM unnest($4::text[]) AS word
        WHERE strpos(path, word) > 0 OR strpos(lower(request_body), word) > 0))`;

/** Account, mode, ids, what takes its place. */
const EMPTY_CUSTOMER = `
  UPDATE customers SET first_name = $4, last_name = $4, email = '', phone = '', date_of_birth = '0001-01-01',
         address = $5, identity_number = $6, identity_masked = '',
         metadata = '{}', kyc_status = 'unverified', kyc_tier = 0, kyc_reference = NULL, kyc_provider = NULL,
         kyc_provider_reference = NULL, kyc_failure = NULL, kyc_verified_at = NULL, kyc_review = NULL,
         next_check_at = NULL,
         anonymized_at = coalesce(anonymized_at, now()), updated_at = now(), version = version + 1
   WHERE account_id = $1 AND livemode = $2 AND id = $3`;
const EMPTY_CARDS = `
  UPDATE cards SET name_on_card = $4, billing_address = $5, label = NULL, metadata = '{}', updated_at = now(),
    version = version + 1
   WHERE account_id = $1 AND livemode = $2 AND id = ANY ($3::uuid[])`;
/** `$4`: of a card, `$5`: of a cardholder. */
const EMPTY_EVENTS = `
  UPDATE events SET snapshot = snapshot::jsonb || CASE object_type WHEN 'crd' THEN $4::jsonb ELSE $5::jsonb END
   WHERE account_id = $1 AND livemode = $2 AND id = ANY ($3::uuid[])`;
const EMPTY_ATTEMPTS = `UPDATE webhook_attempts SET response_body = NULL WHERE account_id = $1 AND livemode = $2
    AND id = ANY ($3::uuid[])`;
const EMPTY_CALLS = `UPDATE issuer_calls SET message = NULL WHERE account_id = $1 AND livemode = $2
    AND id = ANY ($3::uuid[])`;
const EMPTY_REQUESTS = `UPDATE request_log SET request_body = $4 WHERE account_id = $1 AND livemode = $2
    AND id = ANY ($3::uuid[])`;

/** Account, mode, requests, cardholder: what was answered may name them, too. */
const EMPTY_ANSWERS = `DELETE FROM request_exchanges x USING request_log r
  WHERE x.account_id = $1 AND x.livemode = $2 AND r.account_id = $1 AND r.livemode = $2 AND r.id = x.id
    AND (r.id = ANY ($3::uuid[]) OR strpos(r.path, $4) > 0)`;

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

/**
 * Empties what is personal of a cardholder, wherever it is kept. Money is not touched, and ids stay. For the owner of
 * the database only.
 */
@Injectable()
export class CustomerAnonymizing {
  constructor(private readonly customers: CustomersService) {}

  /**
   * Looks before anything is written: the relay of webhooks waits for whoever has written and goes on looking. Throws
   * `NotFound`, `CustomerHasCards`.
   */
  async trace(tx: Tx, id: string): Promise<TracedCustomer> {
    const customer = found(await tx.findOneBy(Customer, { id }), 'customer');
    const { accountId, livemode } = customer;
    const cards: CardRow[] = await tx.query(SELECT_CARDS, [accountId, livemode, id, NOBODY]);
    const open = cards.filter(({ status }) => CARD_TRANSITIONS[status].length > 0);
    if (open.length > 0) throw new CustomerHasCards(id, open);
    const ids = [...cards.map((card) => card.id), id];
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
    const shared = { metadata: {}, anonymized: true };
    await empty(
      EMPTY_EVENTS,
      traces.events,
      { ...shared, name_on_card: NOBODY, billing_address: NOWHERE, label: null },
      { ...shared, ...NO_PERSON, identity: { type: customer.identityType, number: '' } },
    );
    await empty(EMPTY_ATTEMPTS, traces.webhookAttempts);
    await empty(EMPTY_CALLS, traces.issuerCalls);
    await empty(EMPTY_REQUESTS, traces.requests, NO_BODY);
    await empty(EMPTY_ANSWERS, traces.requests, encodeId('cus', id));
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
