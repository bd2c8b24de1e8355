import { Injectable } from '@nestjs/common';
import { fieldsOf, isReference, NOT_ASKED, refusalOf, unknownOf, UNREADABLE } from '../../../providers/answers';
import { Client, type Matter } from '../../../providers/client';
import type {
  FindVerificationResult,
  IdentityProvider,
  VerificationOrder,
  VerificationRef,
  VerifyResult,
} from '../identity.provider';
import type { Customer } from './customer.entity';
import { CustomersService } from './customers.service';
import { isKycTier } from '../kyc-tier';

/**
 * Speaks with whoever verifies identities. Whatever happens there is one of the outcomes: nothing is thrown. No
 * transaction is open.
 */
@Injectable()
export class IdentityClient {
  constructor(
    private readonly client: Client,
    private readonly customers: CustomersService,
  ) {}

  verify(customer: Readonly<Customer>): Promise<VerifyResult> {
    const order = this.orderOf(customer);
    return this.client.ask<IdentityProvider, VerifyResult>(matterOf(customer), {
      call: 'verify',
      ask: (provider, signal) => provider.verify(order, signal),
      parse: (value) => withoutNumber(asVerifyResult(value), order.person.identity.number),
      whenOpen: NOT_ASKED,
    });
  }

  find(customer: Readonly<Customer>): Promise<FindVerificationResult> {
    return this.client.ask<IdentityProvider, FindVerificationResult>(matterOf(customer), {
      call: 'find',
      ask: (provider, signal) => provider.find(refOf(customer), signal),
      parse: (value) => withoutNumber(asFindResult(value), this.customers.identityOf(customer).number),
    });
  }

  private orderOf(customer: Readonly<Customer>): VerificationOrder {
    const { firstName, lastName, dateOfBirth, email, phone, address } = customer;
    const identity = this.customers.identityOf(customer);
    return { ...refOf(customer), person: { firstName, lastName, dateOfBirth, email, phone, address, identity } };
  }
}

const matterOf = ({ kycProvider, identityType: network, livemode, accountId, id }: Readonly<Customer>): Matter => ({
  product: 'identity',
  provider: kycProvider!,
  network,
  livemode,
  accountId,
  id,
});

const refOf = ({ kycReference, accountId, livemode }: Readonly<Customer>): VerificationRef => ({
  reference: kycReference!,
  accountId,
  livemode,
});

/** What an adapter returned, as far as it can be trusted: anything that is not one of the outcomes is `unknown`. */
export function asVerifyResult(value: unknown): VerifyResult {
  const given = fieldsOf(value);
  const { outcome, providerReference, tier } = given;
  if (outcome === 'accepted') return { outcome };
  if (outcome === 'rejected') {
    const reference = isReference(providerReference) ? providerReference : null;
    return { outcome, providerReference: reference, ...refusalOf(given, 'identity_rejected') };
  }
  if (outcome !== 'verified') return unknownOf(given);
  if (!isReference(providerReference)) return UNREADABLE;
  if (tier === undefined) return { outcome, providerReference };
  return isKycTier(tier) ? { outcome, providerReference, tier } : UNREADABLE;
}

export function asFindResult(value: unknown): FindVerificationResult {
  const { outcome } = fieldsOf(value);
  return outcome === 'not_known' ? { outcome } : asVerifyResult(value);
}

/** Providers repeat the number in what they say, spelled in their own way: it is kept sealed, and shown nowhere. */
function withoutNumber<Result extends FindVerificationResult>(result: Result, number: string): Result {
  if (result.outcome !== 'rejected') return result;
  const spelled = new RegExp([...number.replace(/[^A-Za-z0-9]/g, '')].join('[ ./-]*'), 'gi');
  return { ...result, message: result.message.replace(spelled, '[number]') };
}
