import type { Role } from './roles.types';

/** Who is signed in, in which account, and how surely. */
export interface SignedIn {
  readonly sessionId: string;
  readonly userId: string;
  readonly memberId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly totpEnabled: boolean;
  readonly accountId: string;
  readonly accountName: string;
  readonly liveEnabled: boolean;
  /** Looks after the platform, beside the role in the account. */
  readonly isOperator: boolean;
  /** Until then what needs a fresh proof of identity may be done. */
  readonly steppedUpUntil: Date | null;
}

/** Where a request comes from, as far as people are told later. */
export interface Origin {
  readonly ip: string;
  readonly userAgent: string | null;
}

/** A session that was just begun. The token goes into the cookie and is kept nowhere else. */
export interface NewSession {
  readonly token: string;
  readonly signedIn: SignedIn;
}
