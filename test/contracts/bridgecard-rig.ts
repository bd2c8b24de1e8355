import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Env } from '../../src/core/config/env';
import { newId } from '../../src/core/http/ids';
import { Bridgecard } from '../../src/extensions/bridgecard/bridgecard';
import { BridgecardIssuer } from '../../src/extensions/bridgecard/bridgecard-issuer';
import type { CardOrder } from '../../src/modules/cards/card-issuer';
import type { Exchange } from '../../src/providers/journal';
import type { Company } from '../pretended/bridgecard/company';
import { cardholder } from '../support/cardholder';
import { outside } from './outside';

let bvn = 22_200_000_000;

/** A cardholder has one document: each order is for another one. */
export const orderOf = (reference: string): CardOrder => ({
  reference,
  accountId: newId(),
  livemode: true,
  brand: 'mastercard',
  issuerReference: null,
  options: { selfie_image: 'https://pictures.example/selfie.jpg' },
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
    identity: { type: 'bvn', number: String((bvn += 1)) },
  },
});

export const settingsOf = (company: Company, more: object = {}) => ({
  url: `${company.url}v1/issuing/`,
  relayUrl: `${company.url}relay/v1/issuing/`,
  token: company.token,
  secretKey: company.secretKey,
  webhookSecret: company.webhookSecret,
  largeCards: false,
  ...more,
});

export const bridgecardOf = (company: Company, more: object = {}, exchanges: Exchange[] = []): Bridgecard =>
  new Bridgecard(settingsOf(company, more), outside(exchanges));

export function issuerOf(company: Company, more: object = {}, exchanges: Exchange[] = []): BridgecardIssuer {
  const env = Object.assign(new Env(), { PUBLIC_URL: 'https://duka.example' });
  return new BridgecardIssuer(settingsOf(company, more), bridgecardOf(company, more, exchanges), env);
}

/** As the documentation has it: `sources.md` beside it. */
export const fixture = (name: string): any =>
  JSON.parse(readFileSync(join(__dirname, `../pretended/bridgecard/fixtures/${name}.json`), 'utf8'));

/** Longer than any answer of the pretended company takes, on a busy machine too. */
export const soon = (): AbortSignal => AbortSignal.timeout(5_000);

/** For a company that says nothing. */
export const briefly = (): AbortSignal => AbortSignal.timeout(500);
