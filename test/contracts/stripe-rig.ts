import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Env } from '../../src/core/config/env';
import { newId } from '../../src/core/http/ids';
import { Stripe } from '../../src/extensions/stripe/stripe';
import { StripeIssuer } from '../../src/extensions/stripe/stripe-issuer';
import type { CardOrder } from '../../src/modules/cards/card-issuer';
import type { Company } from '../pretended/stripe/company';
import { cardholder } from '../support/cardholder';
import { outside } from './outside';

export const orderOf = (reference: string): CardOrder => ({
  reference,
  accountId: newId(),
  livemode: true,
  brand: 'visa',
  issuerReference: null,
  options: {},
  currency: 'USD',
  amount: 5_000n,
  nameOnCard: 'ADA OBI',
  cardholder: {
    firstName: 'Ada',
    lastName: 'Obi',
    email: 'ada@example.com',
    phone: '+2348031234567',
    dateOfBirth: '1990-04-21',
    address: cardholder().address,
    identity: cardholder().identity,
  },
});

export const settingsOf = (company: Company, more: object = {}) => ({
  url: `${company.url}v1/`,
  key: company.key,
  webhookSecret: company.webhookSecret,
  authorizationSecret: undefined,
  publishableKey: 'pk_test_1' as string | undefined,
  brand: 'visa',
  ...more,
});

export function issuerOf(company: Company, more: object = {}): StripeIssuer {
  const settings = settingsOf(company, more);
  const env = Object.assign(new Env(), { PUBLIC_URL: 'https://duka.example' });
  return new StripeIssuer(settings, new Stripe(settings, outside()), env);
}

/** As the documentation has it: `sources.md` beside it. */
export const fixture = (name: string): any =>
  JSON.parse(readFileSync(join(__dirname, `../pretended/stripe/fixtures/${name}.json`), 'utf8'));

/** Longer than any answer of the pretended company takes, on a busy machine too. */
export const soon = (): AbortSignal => AbortSignal.timeout(5_000);

/** For a company that says nothing. */
export const briefly = (): AbortSignal => AbortSignal.timeout(500);
