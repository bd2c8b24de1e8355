import type { AboutOrder } from '../../../providers/answers';
import { durationMs } from '../../../core/clock/duration';
import type { Recovery } from '../../../core/errors/domain-error';
import type { IssuerRefused, IssuerUnknown } from '../card-issuer';
import table from './cardholders.json';

/** What the sandbox's issuer does for a cardholder, by the last name. */
export interface SandboxCardholder {
  readonly last_name: string;
  readonly description: string;
  /** To the order. `lost`: it never arrives. */
  readonly answer: 'done' | 'refused' | 'unknown' | 'lost';
  /** Once the delay is over. */
  readonly later: 'done' | 'refused' | 'never';
  readonly delay: string;
  readonly code?: string;
  readonly message?: string;
  readonly recovery?: Recovery;
  /** It hears of a card's state only when told twice. */
  readonly stubborn?: boolean;
  /** How the card ends. */
  readonly status: 'active' | 'failed' | 'pending';
}

export const SANDBOX_CARDHOLDERS = table as readonly SandboxCardholder[];

const WILLING: SandboxCardholder = {
  last_name: '',
  description: '',
  answer: 'done',
  later: 'done',
  delay: '0s',
  status: 'active',
};

/** Everybody else gets a card at once. */
export const planOf = (lastName: string): SandboxCardholder =>
  SANDBOX_CARDHOLDERS.find(({ last_name: name }) => name.toLowerCase() === lastName.trim().toLowerCase()) ?? WILLING;

export const delayMsOf = ({ delay }: SandboxCardholder): number => durationMs(delay)!;

export const refusalOf = ({ code, message, recovery }: SandboxCardholder): IssuerRefused & AboutOrder => ({
  outcome: 'refused',
  about: 'order',
  code: code!,
  message: message ?? '',
  recovery: recovery ?? 'none',
});

export const unknownOf = ({ code }: SandboxCardholder): IssuerUnknown => ({
  outcome: 'unknown',
  code: code ?? 'timeout',
});
