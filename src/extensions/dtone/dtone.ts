import { createHmac, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Env } from '../../core/config/env';
import { flag, list, type Of, secret, Settings, text, url } from '../../core/config/settings';
import { publicUrl } from '../../core/http/request-context';
import { type Currency, displayMoney, isCurrency } from '../../core/money/money';
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
  type Refusal,
  type Unsellable,
} from '../../modules/purchases/purchases.provider';
import { type CallbackRequest, fieldsOf, isText, type UnknownOutcome } from '../../providers/answers';
import { minorOf, numberOf } from '../../providers/decimals';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';
import { operatorIds } from '../../providers/operator-ids';
import type { CheckResult } from '../../providers/registry';
import { type Fit, fittingOf, isAnswer, Products } from './products';
import { AMOUNT_NOT_SOLD, refused } from '../../modules/purchases/refusals';
import { asResult, listingOf, REFERENCE_USED, resultOf, transactionOf } from './transactions';

// DT One, airtime and data by its Digital Value Services API. After its OpenAPI document, 1.23.0 (published at
// https://dvs-api-doc.dtone.com, read 2026-11-25 in the copy of https://github.com/voxgig-sdk/dtone-sdk), and
// https://developers.dtone.com; ids of status classes as in answers that others published. Where versions differ the
// newer counts: errors 1000429 and 1009503, `additional_identifier`, `POST /lookup/mobile-number` in place of GET.
// docs/providers/dtone.md says what nobody could verify.

/** Absent until somebody has an account. */
export const DTONE = Settings.of('dtone', {
  key: text({ about: 'API key of DT One (DT Shop, account, developer).' }),
  secret: secret({ about: 'API secret of DT One.' }),
  url: url({
    default: 'https://dvs-api.dtone.com/v1/',
    about: 'Address of DT One; of its sandbox: https://preprod-dvs-api.dtone.com/v1/.',
  }),
  sync: flag({ default: 'false', about: 'Whether DT One is to answer when the operator has, which may take minutes.' }),
  callbackSecret: secret({
    optional: true,
    about: 'What addresses for callbacks are signed with: DT One signs nothing. None: it is not asked to call back.',
  }),
  ids: list({
    optional: true,
    about: 'Its ids of operators by network, and of products by plan (NG/mtn=341,mtn-1gb=345).',
  }),
});

type Values = Of<typeof DTONE>;

/** What is sent beside the number. */
interface Choice {
  readonly product: string;
  readonly fit: Fit;
}

/** Sells whatever product a subclass chooses for an item. */
abstract class DtoneSeller<Item extends AirtimeItem | DataItem> implements Provider<Item> {
  protected readonly products: Products;
  protected readonly ids: ReadonlyMap<string, string>;
  private readonly dtone: Outside;

  constructor(
    private readonly settings: Values,
    private readonly env: Env,
    http: ProviderHttp,
  ) {
    const basic = Buffer.from(`${settings.key}:${settings.secret}`).toString('base64');
    this.dtone = http.to({ name: 'dtone', url: settings.url, headers: { authorization: `Basic ${basic}` } });
    this.products = new Products(this.dtone);
    this.ids = operatorIds('DTONE_IDS', settings.ids ?? []);
  }

  protected abstract choose(order: Order<Item>, signal: AbortSignal): Promise<Choice | NotDelivered | UnknownOutcome>;

  /**
   * Whatever is refused now may have been sold before: a repetition is refused for its reference, or for a float that
   * is empty by now. So a refusal counts only where they do not know the reference.
   */
  async purchase(order: Order<Item>, signal: AbortSignal): Promise<ProviderResult> {
    const placed = await this.place(order, signal);
    if (placed.outcome !== 'not_delivered' && placed !== REFERENCE_USED) return placed;
    const found = await this.lookUp(order, signal);
    return found.outcome === 'not_known' ? placed : asResult(found);
  }

  async find(order: Order<Item>, signal: AbortSignal): Promise<FindResult> {
    if (order.providerReference === null) return this.lookUp(order, signal);
    const path = `transactions/${encodeURIComponent(order.providerReference)}`;
    return transactionOf(await this.dtone.ask({ path, signal }), order);
  }

  async balance(currency: Currency, signal: AbortSignal): Promise<bigint> {
    const balances = balancesOf(await this.dtone.ask({ path: 'balances', signal }));
    const ours = balances?.filter(({ unit }) => unit === currency) ?? [];
    if (balances && balances.length > 0 && ours.length === 0)
      throw new Error(`the float is in ${balances.map(({ unit }) => unit).join(', ')}`);
    const amount = ours.length === 1 ? minorOf(ours[0]!.available, currency) : null;
    if (amount === null) throw new Error('the float could not be read');
    return amount.down;
  }

  async check(signal: AbortSignal): Promise<CheckResult> {
    try {
      return checkOf(await this.dtone.ask({ path: 'balances', signal }));
    } catch (error) {
      if (error instanceof ProviderOutage) return no('Nobody accepts connections at DTONE_URL.');
      throw error;
    }
  }

  verify(callback: CallbackRequest): OrderCallback {
    return callbackOf(callback, this.settings.callbackSecret);
  }

  private async place(order: Order<Item>, signal: AbortSignal): Promise<ProviderResult> {
    const choice = await this.choose(order, signal);
    if (!isAnswer(choice)) return choice;
    const { sync, callbackSecret } = this.settings;
    const json = {
      external_id: order.reference,
      product_id: numberOf(choice.product),
      ...choice.fit,
      auto_confirm: true,
      credit_party_identifier: { mobile_number: order.item.phone },
      ...(!sync &&
        callbackSecret && { callback_url: callbackUrl(publicUrl(this.env), order.reference, callbackSecret) }),
    };
    const path = `${sync ? 'sync' : 'async'}/transactions`;
    const asked = { reference: order.reference, currency: order.currency, providerReference: null };
    return resultOf(await this.dtone.ask({ method: 'POST', path, json, signal }), asked);
  }

  private async lookUp(order: Order<Item>, signal: AbortSignal): Promise<FindResult> {
    const query = { external_id: order.reference };
    return listingOf(await this.dtone.ask({ path: 'transactions', query, signal }), order);
  }
}

/** The operator is that of DTONE_IDS, else that of the number. */
@Injectable()
@SellsAirtime({ name: 'dtone', mode: 'live', floatCurrency: 'USD', when: DTONE })
export class DtoneAirtime extends DtoneSeller<AirtimeItem> implements AirtimeProvider {
  constructor(@Inject(DTONE) settings: Values, env: Env, http: ProviderHttp) {
    super(settings, env, http);
  }

  protected async choose({ amount, currency, item }: Order<AirtimeItem>, signal: AbortSignal) {
    const { phone, network, country } = item;
    const set = this.ids.get(`${country}/${network}`);
    const operator = set === undefined ? await this.products.operatorOf(phone, network, signal) : { id: set };
    if (!isAnswer(operator)) return operator;
    const products = await this.products.airtimeOf(operator.id, signal);
    if (!isAnswer(products)) return products;
    const found = fittingOf(products, { amount, currency });
    return found === null ? refused(AMOUNT_NOT_SOLD) : { product: found.product.id, fit: found.fit };
  }
}

/** A data plan is a product of fixed value: that which DTONE_IDS names for the plan, or its code does. */
@Injectable()
@SellsData({ name: 'dtone', mode: 'live', floatCurrency: 'USD', when: DTONE })
export class DtoneData extends DtoneSeller<DataItem> implements DataProvider {
  constructor(@Inject(DTONE) settings: Values, env: Env, http: ProviderHttp) {
    super(settings, env, http);
  }

  canSell({ item }: OrderDraft<DataItem>): boolean | Unsellable {
    return this.idOf(item) !== null || NOT_OURS;
  }

  protected async choose({ item }: Order<DataItem>, signal: AbortSignal) {
    const id = this.idOf(item);
    if (id === null) return refused(PLAN_UNKNOWN);
    const product = await this.products.byId(id, signal);
    if (!isAnswer(product)) return product;
    return product.isFixed && product.isData ? { product: id, fit: {} } : refused(PLAN_UNKNOWN);
  }

  private idOf({ plan_code: code }: DataItem): string | null {
    return this.ids.get(code) ?? /^dtone\.([1-9]\d{0,8})\./.exec(code)?.[1] ?? null;
  }
}

const NOT_OURS: Unsellable = { outcome: 'refused', message: 'This plan is not sold.', param: '/plan_code' };

const PLAN_UNKNOWN: Refusal = {
  code: 'plan_not_found',
  message: 'The provider does not sell this plan.',
  recovery: 'caller_must_fix',
  retryElsewhere: true,
};

interface Balance {
  readonly unit: string;
  readonly available: unknown;
}

/** Null: it is no list of balances. */
export function balancesOf({ status, body }: CompanyAnswer): Balance[] | null {
  if (status !== 200 || !Array.isArray(body)) return null;
  const balances = body.map(fieldsOf).filter(({ unit_type: type }) => type === 'CURRENCY');
  const isRead = balances.every(({ unit }) => typeof unit === 'string' && /^[A-Z]{3}$/.test(unit));
  return isRead ? balances.map(({ unit, available }) => ({ unit: unit as string, available })) : null;
}

const no = (says: string): CheckResult => ({ isFine: false, says });

function checkOf(answer: CompanyAnswer): CheckResult {
  const { status, body } = answer;
  if (status === 401)
    return no('DT One does not know us: are DTONE_KEY, DTONE_SECRET and DTONE_URL of one environment?');
  const balances = balancesOf(answer);
  if (Array.isArray(fieldsOf(body).errors)) return no(`DT One does not tell the float (${status}).`);
  if (balances === null) return no(`What answers at DTONE_URL is not DT One (${status}): it must end in /v1/.`);
  const shown = balances.map(({ unit, available }) => {
    const amount = isCurrency(unit) ? minorOf(available, unit) : null;
    return amount === null ? unit : displayMoney({ amount: amount.down, currency: unit as Currency });
  });
  if (shown.length === 0) return no('DT One lets us in, and the account has no balance.');
  return { isFine: true, says: `DT One lets us in. The float is ${shown.join(', ')}.` };
}

/**
 * Where DT One is to tell of an order. What it sends has no signature, and the address comes back in its answers: so it
 * is signed for the one order that it is about.
 */
export const callbackUrl = (base: string, reference: string, key: string): string =>
  `${base}/callbacks/purchases/dtone?sign=${signatureOf(reference, key).toString('hex')}`;

/** A transaction is sent as it stands. Genuine: the address is the one that was given for its `external_id`. */
export function callbackOf({ body, query = {} }: CallbackRequest, key: string | undefined): OrderCallback {
  const { external_id: reference, status } = fieldsOf(JSON.parse(body.toString()));
  const given = query.sign ?? '';
  if (key === undefined || !isText(reference) || !/^[0-9a-f]{64}$/.test(given)) return { outcome: 'forged' };
  if (!timingSafeEqual(Buffer.from(given, 'hex'), signatureOf(reference, key))) return { outcome: 'forged' };
  const { message } = fieldsOf(fieldsOf(status).class);
  return { outcome: 'genuine', reference, ...(isText(message) && { says: message.toLowerCase() }) };
}

const signatureOf = (reference: string, key: string): Buffer => createHmac('sha256', key).update(reference).digest();
