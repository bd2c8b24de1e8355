import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { list, type Of, secret, Settings, url } from '../../core/config/settings';
import type { Currency } from '../../core/money/money';
import { type AirtimeItem, type AirtimeProvider, SellsAirtime } from '../../modules/airtime/airtime.provider';
import {
  type FindResult,
  type Order,
  type OrderCallback,
  type OrderDraft,
  type ProviderResult,
  type Refusal,
  type Unsellable,
} from '../../modules/purchases/purchases.provider';
import { type CallbackRequest, isText, type UnknownOutcome } from '../../providers/answers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const TOPUP = Settings.of('topup', {
  url: url({ about: 'Address of the imaginary top-up service of the example (https://topups.example.com/v1/).' }),
  key: secret({ about: 'Its key, with which it signs its callbacks, too.' }),
  countries: list({ default: 'NG', about: 'Where it sells, ISO 3166-1 alpha-2, with commas between.' }),
});

/** Sells airtime through an imaginary top-up service. It sells once per reference: a repetition is answered alike. */
@Injectable()
@SellsAirtime({ name: 'example', mode: 'live', when: TOPUP })
export class ExampleAirtime implements AirtimeProvider {
  private readonly outside: Outside;

  constructor(
    @Inject(TOPUP) private readonly settings: Of<typeof TOPUP>,
    http: ProviderHttp,
  ) {
    const { url, key } = settings;
    this.outside = http.to({ name: 'topup', url, headers: { authorization: `Bearer ${key}` } });
  }

  canSell({ item: { country } }: OrderDraft<AirtimeItem>): boolean | Unsellable {
    return (
      this.settings.countries.includes(country) || {
        outcome: 'refused',
        message: `No airtime is sold for numbers of ${country}.`,
        param: '/phone',
      }
    );
  }

  async purchase(
    { reference, amount, currency, item }: Order<AirtimeItem>,
    signal: AbortSignal,
  ): Promise<ProviderResult> {
    const body = {
      reference,
      msisdn: item.phone,
      network: item.network,
      country: item.country,
      amount: amount.toString(),
      currency,
    };
    return resultOf(await this.outside.ask({ method: 'POST', path: 'topups', json: body, signal }), reference);
  }

  async find({ reference }: Order<AirtimeItem>, signal: AbortSignal): Promise<FindResult> {
    return findingOf(await this.outside.ask({ path: `topups/${encodeURIComponent(reference)}`, signal }), reference);
  }

  /** Signed with HMAC-SHA256 over the bytes; what it says is not believed anyway. */
  verify({ body, headers }: CallbackRequest): OrderCallback {
    const given = headers['x-topup-signature'] ?? '';
    const own = createHmac('sha256', this.settings.key).update(body).digest();
    if (!/^[0-9a-f]{64}$/.test(given) || !timingSafeEqual(Buffer.from(given, 'hex'), own)) return { outcome: 'forged' };
    const { reference, status } = JSON.parse(body.toString()) as Partial<Topup>;
    if (!isText(reference)) return { outcome: 'other' };
    return { outcome: 'genuine', reference, ...(isText(status) && { says: status }) };
  }

  async balance(currency: Currency, signal: AbortSignal): Promise<bigint> {
    const { status, body } = await this.outside.ask({ path: 'float', query: { currency }, signal });
    const balance = minorUnits((body as { balance?: unknown } | null)?.balance);
    if (status !== 200 || balance === null) throw new Error('the float could not be read');
    return balance;
  }
}

/** What a top-up looks like, if it is one. Every field may be missing or wrong: the answer comes from elsewhere. */
interface Topup {
  readonly reference: unknown;
  readonly status: unknown;
  readonly id: unknown;
  readonly amount: unknown;
  /** What our float went down by. */
  readonly charged: unknown;
  readonly operator_reference: unknown;
  readonly reason: unknown;
}

/** Reasons that the service's manual gives for a refusal. What is not listed is no refusal. */
const OF_ORDER: Readonly<Record<string, Refusal>> = {
  no_such_number: {
    code: 'invalid_recipient',
    message: 'The operator does not know the number.',
    recovery: 'caller_must_fix',
    retryElsewhere: false,
  },
  barred: {
    code: 'recipient_barred',
    message: 'The operator has barred the number.',
    recovery: 'recipient_must_act',
    retryElsewhere: false,
  },
  operator_down: {
    code: 'operator_unavailable',
    message: 'The operator sells nothing at the moment.',
    recovery: 'retry_later',
    retryElsewhere: true,
  },
};

const SELLS_NOTHING = {
  message: 'The provider cannot sell at the moment.',
  recovery: 'retry_later',
  retryElsewhere: true,
} as const;

/** With those about our account: they end an order which is being sent, and say nothing of one that was sent before. */
export const REFUSALS: Readonly<Record<string, Refusal>> = {
  ...OF_ORDER,
  float_empty: { code: 'provider_float_empty', ...SELLS_NOTHING },
  account_locked: { code: 'provider_account_locked', ...SELLS_NOTHING },
};

const UNREADABLE: UnknownOutcome = { outcome: 'unknown', code: 'unreadable_answer' };

/**
 * The outcome, if the answer leaves no doubt about it: a success and a refusal are both proven, everything else is
 * unknown.
 */
export function resultOf({ status, body }: CompanyAnswer, reference: string, listed = REFUSALS): ProviderResult {
  const topup = topupOf(body, reference);
  if (status !== 200 || topup === null) return UNREADABLE;
  if (topup.status === 'pending') return { outcome: 'accepted' };
  if (topup.status === 'refused') return refusalOf(topup, listed);
  return topup.status === 'done' ? deliveryOf(topup) : UNREADABLE;
}

/**
 * The same for an order that was sent before: only words about the order end it. And whether the service says that it
 * does not know the reference; a 404 alone proves nothing: a proxy makes one too.
 */
function findingOf({ status, body }: CompanyAnswer, reference: string): FindResult {
  const isUnheardOf =
    status === 404 &&
    (body as { error?: unknown } | null)?.error === 'unknown_reference' &&
    topupOf(body, reference) !== null;
  if (isUnheardOf) return { outcome: 'not_known' };
  const result = resultOf({ status, body }, reference, OF_ORDER);
  return result.outcome === 'not_delivered' ? { ...result, about: 'order' } : result;
}

/** Null: not about this order. */
function topupOf(body: unknown, reference: string): Topup | null {
  return typeof body === 'object' && body !== null && (body as Topup).reference === reference ? (body as Topup) : null;
}

function deliveryOf({ id, amount, charged, operator_reference: operatorReference }: Topup): ProviderResult {
  const [delivered, cost] = [minorUnits(amount), minorUnits(charged)];
  if (!isText(id) || !delivered) return UNREADABLE;
  const details = { operator_reference: isText(operatorReference) ? operatorReference : null };
  return { outcome: 'delivered', providerReference: id, deliveredAmount: delivered, ...(cost && { cost }), details };
}

function refusalOf({ reason }: Topup, listed: Readonly<Record<string, Refusal>>): ProviderResult {
  const refusal = isText(reason) && Object.hasOwn(listed, reason) ? listed[reason]! : null;
  return refusal === null ? UNREADABLE : { outcome: 'not_delivered', ...refusal };
}

/** The service writes amounts as text: `"105000"`. */
const minorUnits = (amount: unknown): bigint | null =>
  isText(amount) && /^\d{1,15}$/.test(amount) ? BigInt(amount) : null;
