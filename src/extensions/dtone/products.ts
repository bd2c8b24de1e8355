import { type Currency, decimalText, fromMajor, type Money } from '../../core/money/money';
import type { NotDelivered } from '../../modules/purchases/purchases.provider';
import { fieldsOf, type Given, type UnknownOutcome } from '../../providers/answers';
import { minorOf, numberOf } from '../../providers/decimals';
import type { CompanyAnswer, Outside } from '../../providers/http';
import { isNetwork } from '../../providers/operator-ids';
import { OPERATOR_UNKNOWN, refused } from '../../modules/purchases/refusals';
import { idOf, refusalOf } from './transactions';

/** What an operator sells stays true for so long. */
const KEPT_MS = 10 * 60_000;
const PER_PAGE = 100;
const PAGES_MAX = 20;
/** A hundred products with promotions and terms. */
const PAGE_BYTES = 4 * 1_024 * 1_024;

/** Ids of DT One: https://dvs-api-doc.dtone.com/#tag/Services. */
const MOBILE = 1;
const AIRTIME = 11;
const BUNDLES: readonly unknown[] = [12, 13];

/** Amounts of one side of a product, in decimals as they came; a fixed value is both. */
interface Side {
  readonly unit: unknown;
  readonly min: unknown;
  readonly max: unknown;
  readonly increment: unknown;
}

/** What can be sold with nothing but a phone number. */
export interface Product {
  readonly id: string;
  readonly operator: { readonly id: string; readonly name: string };
  readonly isFixed: boolean;
  /** Sells data, or bundles with data. */
  readonly isData: boolean;
  /** What arrives, in the recipient's currency. */
  readonly destination: Side;
  /** What it is worth in that of our account. */
  readonly source: Side;
  readonly modes: readonly unknown[];
}

/** Beside `product_id`: what says how much of a product with a range is asked for. */
export type Fit = Readonly<Record<string, unknown>>;

/** No order was sent yet, but one of the same reference may have been before. */
const NOT_READ: UnknownOutcome = { outcome: 'unknown', code: 'products_not_read' };

type Answered<Value> = Value | NotDelivered | UnknownOutcome;

export const isAnswer = <Value extends object>(answer: Answered<Value>): answer is Value => !('outcome' in answer);

/** Looks up operators and what they sell. */
export class Products {
  private readonly kept = new Map<string, { readonly products: readonly Product[]; readonly until: number }>();

  constructor(private readonly dtone: Outside) {}

  /** The operator whose number it is, as they say, if it is the network. Numbers may have been ported since. */
  async operatorOf(phone: string, network: string, signal: AbortSignal): Promise<Answered<{ readonly id: string }>> {
    const json = { mobile_number: phone, page: 1, per_page: PER_PAGE };
    const path = 'lookup/mobile-number';
    return operatorOf(await this.dtone.ask({ method: 'POST', path, json, signal, bytesMax: PAGE_BYTES }), network);
  }

  /** Airtime of an operator. */
  async airtimeOf(operator: string, signal: AbortSignal): Promise<Answered<readonly Product[]>> {
    const kept = this.kept.get(operator);
    if (kept && kept.until > Date.now()) return kept.products;
    const products: Product[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const query = { operator_id: operator, service_id: `${MOBILE}`, subservice_id: `${AIRTIME}` };
      const paging = { page: `${page}`, per_page: `${PER_PAGE}` };
      const answer = await this.dtone.ask({
        path: 'products',
        query: { ...query, ...paging },
        signal,
        bytesMax: PAGE_BYTES,
      });
      if (answer.status !== 200 || !Array.isArray(answer.body)) return refusalOf(answer) ?? NOT_READ;
      products.push(...answer.body.map(productOf).filter((one): one is Product => one?.operator.id === operator));
      const pages = answer.headers['x-total-pages'];
      const isLast = pages === undefined ? answer.body.length < PER_PAGE : BigInt(page) >= countOf(pages);
      if (!isLast) continue;
      this.kept.set(operator, { products, until: Date.now() + KEPT_MS });
      return products;
    }
    return NOT_READ;
  }

  async byId(id: string, signal: AbortSignal): Promise<Answered<Product>> {
    const answer = await this.dtone.ask({ path: `products/${id}`, signal, bytesMax: PAGE_BYTES });
    if (answer.status !== 200) return refusalOf(answer) ?? NOT_READ;
    const product = productOf(answer.body);
    return product?.id === id ? product : NOT_READ;
  }
}

const countOf = (header: string | string[]): bigint => (/^\d{1,6}$/.test(String(header)) ? BigInt(String(header)) : 0n);

/** What `POST /lookup/mobile-number` answers: operators of the country, with `identified` where it is one of them. */
export function operatorOf(answer: CompanyAnswer, network: string): Answered<{ readonly id: string }> {
  if (answer.status !== 200 || !Array.isArray(answer.body)) return refusalOf(answer) ?? NOT_READ;
  const fitting = answer.body
    .map(fieldsOf)
    .filter(({ identified, name }) => identified === true && typeof name === 'string' && isNetwork(name, network));
  const id = fitting.length === 1 ? idOf(fitting[0]!.id) : null;
  return id === null ? refused(OPERATOR_UNKNOWN) : { id };
}

const TYPES: Readonly<Record<string, { readonly isFixed: boolean }>> = {
  FIXED_VALUE_RECHARGE: { isFixed: true },
  RANGED_VALUE_RECHARGE: { isFixed: false },
};

/** Null: it is no recharge, or needs to know more than a phone number, or cannot be read. */
export function productOf(body: unknown): Product | null {
  const told = fieldsOf(body);
  const id = idOf(told.id);
  const operator = fieldsOf(told.operator);
  const operatorId = idOf(operator.id);
  const type = typeof told.type === 'string' && Object.hasOwn(TYPES, told.type) ? TYPES[told.type]! : null;
  if (id === null || operatorId === null || typeof operator.name !== 'string' || type === null) return null;
  if (!needsPhoneOnly(told)) return null;
  const { accepted_calculation_modes: modes, benefits } = told;
  const kind = fieldsOf(fieldsOf(told.service).subservice).id;
  const brings = Array.isArray(benefits) ? benefits.map((benefit) => fieldsOf(benefit).type) : [];
  return {
    id,
    operator: { id: operatorId, name: operator.name },
    ...type,
    isData: BUNDLES.includes(kind) || brings.includes('DATA'),
    destination: sideOf(told.destination),
    source: sideOf(told.source),
    modes: Array.isArray(modes) ? modes : [],
  };
}

/** `required_…_fields`: alternatives, each a list of fields; null or empty where nothing is needed. */
function needsPhoneOnly(told: Given): boolean {
  const { required_credit_party_identifier_fields: credit, ...others } = told;
  const isMet = Array.isArray(credit) && credit.some((fields) => JSON.stringify(fields) === '["mobile_number"]');
  return (
    isMet &&
    ['debit_party_identifier', 'sender', 'beneficiary', 'statement_identifier', 'additional_identifier']
      .map((who) => others[`required_${who}_fields`] ?? [])
      .every((fields) => Array.isArray(fields) && fields.length === 0)
  );
}

function sideOf(side: unknown): Side {
  const { unit, unit_type: type, amount } = fieldsOf(side);
  const { min, max, increment } = fieldsOf(amount);
  const isRange = typeof amount === 'object' && amount !== null;
  return {
    unit: type === 'CURRENCY' ? unit : null,
    ...(isRange ? { min, max, increment } : { min: amount, max: amount, increment: undefined }),
  };
}

/** The product that sells an amount, and how it is asked for; one of fixed value first. Null: there is none. */
export function fittingOf(products: readonly Product[], price: Money): { product: Product; fit: Fit } | null {
  const fits = products.flatMap((product) => {
    const fit = fitOf(product, price);
    return fit === null ? [] : [{ product, fit }];
  });
  return fits.find(({ product }) => product.isFixed) ?? fits[0] ?? null;
}

/** How a product is asked for an amount, in the recipient's currency, else in that of our account. */
function fitOf(product: Product, price: Money): Fit | null {
  const { isFixed, destination, source, modes } = product;
  const has = (side: Side, mode: string) => includes(side, price) && (isFixed || modes.includes(mode));
  const isLocal = has(destination, 'DESTINATION_AMOUNT');
  if (!isLocal && !has(source, 'SOURCE_AMOUNT')) return null;
  if (isFixed) return {};
  const value = { unit_type: 'CURRENCY', unit: price.currency, amount: numberOf(decimalText(price)) };
  return isLocal
    ? { calculation_mode: 'DESTINATION_AMOUNT', destination: value }
    : { calculation_mode: 'SOURCE_AMOUNT', source: value };
}

function includes({ unit, min, max, increment }: Side, { amount, currency }: Money): boolean {
  const [least, most] = [minorOf(min, currency)?.up, minorOf(max, currency)?.down];
  if (!isSame(unit, currency) || least === undefined || most === undefined) return false;
  if (amount < least || amount > most) return false;
  if (increment === undefined || increment === null) return true;
  const step = fromMajor(increment, currency);
  return step !== null && step > 0n && (amount - least) % step === 0n;
}

const isSame = (theirs: unknown, ours: Currency): boolean => theirs === ours;
