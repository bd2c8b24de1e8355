import type { AcceptedOutcome, NotKnownOutcome, Refused, UnknownOutcome } from '../../providers/answers';
import { adapts } from '../../providers/registry';
import type { Address, Identity } from './card-issuer';
import type { KycTier } from './kyc-tier';

/** A verification, as its provider is asked how it stands. */
export interface VerificationRef {
  /** Ours, a uuid: the same in every repetition. A person that was changed is asked about under a new one. */
  readonly reference: string;
  readonly accountId: string;
  readonly livemode: boolean;
}

export interface VerificationOrder extends VerificationRef {
  readonly person: {
    readonly firstName: string;
    readonly lastName: string;
    /** `YYYY-MM-DD`. */
    readonly dateOfBirth: string;
    readonly email: string;
    /** E.164. */
    readonly phone: string;
    readonly address: Address;
    readonly identity: Identity;
  };
}

/** What the provider certainly says of the person. Of our account with it (empty, suspended) it is `unknown`. */
type Verified =
  | {
      readonly outcome: 'verified';
      readonly providerReference: string;
      /** How far the person is proven; absent: as far as the kind of the document says. */
      readonly tier?: KycTier;
    }
  /** The document is not theirs, or there is none; the message is shown to the account. */
  | ({ readonly outcome: 'rejected'; readonly providerReference: string | null } & Refused);

/** `accepted`: the provider is at it, and is asked again. */
export type VerifyResult = Verified | AcceptedOutcome | UnknownOutcome;

/** Beside these: the provider never heard of the reference. Then it is asked to verify again. */
export type FindVerificationResult = VerifyResult | NotKnownOutcome;

/** A port to whoever knows who people are. No database transaction is open when it is asked. */
export interface IdentityProvider {
  /** Repeated with the same reference it verifies once and answers alike. */
  verify(order: VerificationOrder, signal: AbortSignal): Promise<VerifyResult>;
  /** What became of the reference. */
  find(verification: VerificationRef, signal: AbortSignal): Promise<FindVerificationResult>;
}

/** Marks a Nest provider class as one that verifies identities. Routes may name the kind of the document (`nin`). */
export const VerifiesIdentities = adapts<IdentityProvider>('identity');
