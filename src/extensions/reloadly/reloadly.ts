import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { flag, list, type Of, secret, Settings, text, url } from '../../core/config/settings';
import { type Currency, displayMoney, isCurrency, toJsonNumber } from '../../core/money/money';
import { type AirtimeItem, type AirtimeProvider, SellsAirtime } from '../../modules/airtime/airtime.provider';
import { type DataItem, type DataProvider, SellsData } from '../../modules/data/data.provider';
import {
  type FindResult,
  type NotDelivered,
  type Order,
  type OrderCallback,
  type OrderDraft,
  type Provider,
  ProviderOutage,
  type ProviderResult,
  type Unsellable,
} from '../../modules/purchases/purchases.provider';
import { type CallbackRequest, fieldsOf, type UnknownOutcome } from '../../providers/answers';
import { minorOf } from '../../providers/decimals';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';
import { operatorIds } from '../../providers/operator-ids';
import type { CheckResult } from '../../providers/registry';
import type { Token } from '../../providers/sessions';
import { fitting, isOperator, type Operator, Operators, priceOf } from './operators';
import { refused } from '../../modules/purchases/refusals';
import { acceptanceOf, CURRENCY_NOT_SOLD, REFERENCE_USED, reportOf, resultOf, statusOf } from './topups';

// Reloadly, airtime and data in one API of top-ups. After https://docs.reloadly.com/airtime and its OpenAPI source
// (https://github.com/Reloadly/reloadly-api-documentation, 2022), the Java SDK (2025), and answers of the sandbox that
// others published (2026), read 2026-11-25. Where they differ the newer counts: a status comes as
// `{code, message, status, transaction}`, `balanceInfo` has a `cost`, a reference that was used before is refused with
// CUSTOM_IDENTIFIER_ALREADY_USED. docs/providers/reloadly.md says what nobody could verify.

/** Absent until somebody has an account. */
export const RELOADLY = Settings.of('reloadly', {
  clientId: text({ about: 'Client id of Reloadly (dashboard, Developers, API settings).' }),
  clientSecret: secret({ about: 'Client secret of Reloadly.' }),
  webhookSecret: secret({
    optional: true,
    about: 'What Reloadly signs webhooks with (dashboard, Developers, Webhooks).',
  }),
  audience: text({
    default: 'https://topups.reloadly.com',
    about: 'What its tokens are for; of its sandbox: https://topups-sandbox.reloadly.com.',
  }),
  topupsUrl: url({
    default: 'https://topups.reloadly.com/',
    about: 'Address of its top-ups; of its sandbox: https://topups-sandbox.reloadly.com/.',
  }),
  authUrl: url({ default: 'https://auth.reloadly.com/', about: 'Address of its tokens.' }),
  async: flag({ default: 'false', about: 'Whether top-ups are placed without waiting for the operator.' }),
  operators: list({
    optional: true,
    about: 'Its operator ids by network and plan (NG/mtn=341,mtn-1gb=345); other numbers are looked up there.',
  }),
});

type Values = Of<typeof RELOADLY>;

const MEDIA_TYPE = 'application/com.reloadly.topups-v1+json';

/** They gave no token. Nothing was asked of anybody. */
class SignInRefused extends Error {
  constructor({ status, body }: CompanyAnswer) {
    const { errorCode } = fieldsOf(body);
    const word = typeof errorCode === 'string' && /^[A-Z_]{1,64}$/.test(errorCode) ? ` ${errorCode}` : '';
    super(`Reloadly gave no token (${status}${word})`);
  }
}

/** Sells top-ups of whatever operator a product finds for an item. */
abstract class TopupSeller<Item extends AirtimeItem | DataItem> implements Provider<Item> {
  protected readonly operators: Operators;
  protected readonly ids: ReadonlyMap<string, string>;
  private readonly topups: Outside;

  constructor(
    private readonly settings: Values,
    http: ProviderHttp,
  ) {
    const auth = http.to({ name: 'reloadly_auth', url: settings.authUrl });
    this.topups = http.to({
      name: 'reloadly_topups',
      url: settings.topupsUrl,
      headers: { accept: MEDIA_TYPE },
      signIn: (signal) => signIn(auth, settings, signal),
    });
    this.operators = new Operators(this.topups);
    this.ids = operatorIds('RELOADLY_OPERATORS', settings.operators ?? []);
  }

  protected abstract operatorOf(item: Item, signal: AbortSignal): Promise<Operator | NotDelivered | UnknownOutcome>;

  /**
   * Whatever is refused now may have been sold before: a repetition is refused for its reference, for the number that
   * was just topped up, or for a float that is empty by now. So a refusal counts only where they do not know the
   * reference.
   */
  async purchase(order: Order<Item>, signal: AbortSignal): Promise<ProviderResult> {
    const placed = await this.place(order, signal);
    if (placed.outcome !== 'not_delivered' && placed !== REFERENCE_USED) return placed;
    const found = await this.lookUp(order, signal);
    return found.outcome === 'not_known' ? placed : found;
  }

  find(order: Order<Item>, signal: AbortSignal): Promise<FindResult> {
    return order.providerReference === null ? this.lookUp(order, signal) : this.askStatus(order, signal);
  }

  async balance(currency: Currency, signal: AbortSignal): Promise<bigint> {
    const { status, body } = await this.topups.ask({ path: 'accounts/balance', signal });
    const { balance, currencyCode } = fieldsOf(body);
    if (status === 200 && isCurrency(currencyCode) && currencyCode !== currency)
      throw new Error(`the float is in ${currencyCode}`);
    const amount = status === 200 && currencyCode === currency ? minorOf(balance, currency) : null;
    if (amount === null) throw new Error('the float could not be read');
    return amount.down;
  }

  async check(signal: AbortSignal): Promise<CheckResult> {
    try {
      return checkOf(await this.topups.ask({ path: 'accounts/balance', signal }));
    } catch (error) {
      if (error instanceof SignInRefused)
        return no(`${error.message}: are the client id, its secret, and RELOADLY_AUDIENCE those of one environment?`);
      if (error instanceof ProviderOutage) return no('Nobody answers at RELOADLY_AUTH_URL or RELOADLY_TOPUPS_URL.');
      throw error;
    }
  }

  verify(callback: CallbackRequest): OrderCallback {
    return callbackOf(callback, this.settings.webhookSecret);
  }

  private async place(order: Order<Item>, signal: AbortSignal): Promise<ProviderResult> {
    const { reference, amount, currency, item } = order;
    const operator = await this.operatorOf(item, signal);
    if (!isOperator(operator)) return operator;
    const price = priceOf(operator, { amount, currency });
    if (price === null) return refused(CURRENCY_NOT_SOLD);
    const json = {
      operatorId: operator.id,
      ...price,
      customIdentifier: reference,
      recipientPhone: { countryCode: item.country, number: item.phone },
    };
    const asked = { reference, currency, providerReference: null };
    return this.settings.async
      ? acceptanceOf(await this.topups.ask({ method: 'POST', path: 'topups-async', json, signal }), asked)
      : resultOf(await this.topups.ask({ method: 'POST', path: 'topups', json, signal }), asked);
  }

  private async lookUp(order: Order<Item>, signal: AbortSignal) {
    const query = { customIdentifier: order.reference };
    return reportOf(await this.topups.ask({ path: 'topups/reports/transactions', query, signal }), order);
  }

  private async askStatus(order: Order<Item>, signal: AbortSignal): Promise<FindResult> {
    const path = `topups/${encodeURIComponent(order.providerReference!)}/status`;
    return statusOf(await this.topups.ask({ path, signal }), order);
  }
}

/** The operator is that of RELOADLY_OPERATORS, else that of the number. */
@Injectable()
@SellsAirtime({ name: 'reloadly', mode: 'live', when: RELOADLY })
export class ReloadlyAirtime extends TopupSeller<AirtimeItem> implements AirtimeProvider {
  constructor(@Inject(RELOADLY) settings: Values, http: ProviderHttp) {
    super(settings, http);
  }

  protected async operatorOf({ phone, network, country }: AirtimeItem, signal: AbortSignal) {
    const id = this.ids.get(`${country}/${network}`);
    if (id !== undefined) return this.operators.byId(id, signal);
    const detected = await this.operators.byPhone(phone, country, signal);
    return isOperator(detected) ? fitting(detected, network) : detected;
  }
}

/**
 * A data plan is an amount of an operator with `data` or `bundle`: the price of the plan, at the operator that
 * RELOADLY_OPERATORS names for the plan, or that its code does.
 */
@Injectable()
@SellsData({ name: 'reloadly', mode: 'live', when: RELOADLY })
export class ReloadlyData extends TopupSeller<DataItem> implements DataProvider {
  constructor(@Inject(RELOADLY) settings: Values, http: ProviderHttp) {
    super(settings, http);
  }

  canSell({ item }: OrderDraft<DataItem>): boolean | Unsellable {
    return this.idOf(item) !== null || NOT_OURS;
  }

  protected async operatorOf(item: DataItem, signal: AbortSignal) {
    const id = this.idOf(item);
    if (id === null) return refused(PLAN_UNKNOWN);
    const operator = await this.operators.byId(id, signal);
    return isOperator(operator) && operator.isAirtime ? refused(PLAN_UNKNOWN) : operator;
  }

  private idOf({ plan_code: code }: DataItem): string | null {
    return this.ids.get(code) ?? /^reloadly\.([1-9]\d{0,8})\./.exec(code)?.[1] ?? null;
  }
}

const NOT_OURS: Unsellable = { outcome: 'refused', message: 'This plan is not sold.', param: '/plan_code' };

const PLAN_UNKNOWN = {
  code: 'plan_not_found',
  message: 'The provider does not sell this plan.',
  recovery: 'caller_must_fix',
  retryElsewhere: true,
} as const;

async function signIn(auth: Outside, settings: Values, signal: AbortSignal): Promise<Token> {
  const json = {
    client_id: settings.clientId,
    client_secret: settings.clientSecret,
    grant_type: 'client_credentials',
    audience: settings.audience,
  };
  const answer = await auth.ask({ method: 'POST', path: 'oauth/token', json, signal, isSignIn: true });
  const { access_token: token, expires_in: seconds } = fieldsOf(answer.body);
  const isToken = answer.status === 200 && typeof token === 'string' && /^[\w.~+/=-]+$/.test(token);
  // A number in newer answers, its text in older ones.
  if (!isToken || !/^[1-9]\d{0,9}$/.test(String(seconds))) throw new SignInRefused(answer);
  return { token, expiresInMs: toJsonNumber(BigInt(String(seconds)) * 1_000n) };
}

const no = (says: string): CheckResult => ({ isFine: false, says });

function checkOf({ status, body }: CompanyAnswer): CheckResult {
  const { balance, currencyCode, errorCode } = fieldsOf(body);
  if (status === 401 || status === 403)
    return no(
      'Reloadly does not take its own token: are RELOADLY_AUDIENCE and RELOADLY_TOPUPS_URL of one environment?',
    );
  if (typeof errorCode === 'string') return no(`Reloadly does not tell the float (${status}).`);
  if (status !== 200 || typeof currencyCode !== 'string' || !/^[A-Z]{3}$/.test(currencyCode))
    return no(`What answers at RELOADLY_TOPUPS_URL is not Reloadly (${status}).`);
  const float = isCurrency(currencyCode) ? minorOf(balance, currencyCode) : null;
  const shown = float && displayMoney({ amount: float.down, currency: currencyCode as Currency });
  return { isFine: true, says: `Reloadly lets us in. The float is ${shown ?? `in ${currencyCode}`}.` };
}

/**
 * `X-Reloadly-Signature` is the HMAC-SHA256 of the bytes, a colon, and `X-Reloadly-Request-Timestamp`. How old it is
 * does not matter: a callback that is repeated only has us ask once more.
 */
export function callbackOf({ body, headers }: CallbackRequest, secret: string | undefined): OrderCallback {
  const given = headers['x-reloadly-signature'] ?? '';
  const timestamp = headers['x-reloadly-request-timestamp'];
  if (secret === undefined || timestamp === undefined || !/^[0-9a-f]{64}$/.test(given)) return { outcome: 'forged' };
  const own = createHmac('sha256', secret).update(body).update(`:${timestamp}`).digest();
  if (!timingSafeEqual(Buffer.from(given, 'hex'), own)) return { outcome: 'forged' };
  const event = fieldsOf(JSON.parse(body.toString()));
  const data = fieldsOf(event.data);
  // The transaction is `data` in some versions, and in `data` in others.
  const { customIdentifier: reference, status } = { ...fieldsOf(data.transaction), ...data };
  if (event.type !== 'airtime_transaction.status' || typeof reference !== 'string') return { outcome: 'other' };
  return { outcome: 'genuine', reference, ...(typeof status === 'string' && { says: status.toLowerCase() }) };
}
