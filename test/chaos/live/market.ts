import { Company as Paystack } from '../../pretended/paystack/company';
import { Company as Stripe } from '../../pretended/stripe/company';
import type { Pretended } from '../../pretended/pretended';
import { type Desk, openDesks } from './desks';
import { type Gateway, openGateways } from './gateways';

/** All companies of a run. */
export interface Market {
  readonly desks: readonly Desk[];
  readonly gateways: readonly Gateway[];
  readonly stripe: Stripe;
  /** Each once: one may be several of these. */
  readonly companies: readonly Pretended[];
}

export function openMarket(): Market {
  const paystack = new Paystack();
  const [desks, gateways, stripe] = [openDesks(paystack), openGateways(paystack), new Stripe()];
  const companies = new Set([...desks, ...gateways].map(({ company }) => company)).add(stripe);
  return { desks, gateways, stripe, companies: [...companies] };
}
