import type { PaymentStatus } from '../../payments.states';
import type { PaymentFailure } from '../../payments.types';
import table from './outcomes.json';

/** What a person can make happen at a sandbox gateway. */
export interface SandboxOutcome {
  readonly outcome: string;
  readonly label: string;
  readonly description: string;
  /** What the gateway says when it is asked. */
  readonly answer: 'successful' | 'failed' | 'processing' | 'unknown' | 'reversed';
  /** By the account's clock; `processing` until then. */
  readonly delaySeconds?: number;
  /** Minor units that arrive beside the amount. */
  readonly surplus?: number;
  readonly isOtherCurrency?: boolean;
  /** Of what is left, one in so many goes back. */
  readonly part?: number;
  readonly failure?: PaymentFailure;
  /** How a pending payment ends. */
  readonly final: { readonly status: PaymentStatus; readonly needs_review: boolean };
}

/** Every outcome: the gateways behave by it, the page offers it, the scenarios list it, and a test walks it. */
export const OUTCOMES = table as readonly SandboxOutcome[];

export const OUTCOME_NAMES: readonly string[] = OUTCOMES.map(({ outcome }) => outcome);
