import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, durationMs } from '../../../core/clock/clock';
import type { Refused } from '../../../providers/answers';
import type { KycStatus } from '../customers/customer.entity';
import type { KycTier } from '../kyc-tier';
import {
  type FindVerificationResult,
  type IdentityProvider,
  VerifiesIdentities,
  type VerificationOrder,
  type VerificationRef,
  type VerifyResult,
} from '../identity.provider';
import table from './identities.json';

/** What the end of an identity number makes the sandbox's provider do. */
export interface SandboxIdentity {
  readonly suffix: string;
  readonly description: string;
  /** To the first question. `silent`: and to all others. */
  readonly first?: 'answer_lost' | 'order_lost' | 'silent';
  /** By the account's clock, until it decides. */
  readonly delay: string;
  readonly failure?: Refused;
  /** How far it proves them; absent: it does not say. */
  readonly tier?: KycTier;
  /** How the cardholder ends up. */
  readonly status: KycStatus;
}

/** Every one that is not simply verified: the provider behaves by it, the scenarios list it, and a test walks it. */
export const SANDBOX_IDENTITIES = table as readonly SandboxIdentity[];

const KNOWN: Omit<SandboxIdentity, 'suffix' | 'description'> = { delay: '0s', status: 'verified' };

const planOf = (scenario: string) => SANDBOX_IDENTITIES.find(({ suffix }) => suffix === scenario) ?? KNOWN;

interface IdentityRow {
  readonly scenario: string;
  readonly asked: number;
  readonly readyAt: Date;
}

const ASK = `
  INSERT INTO sandbox_identities AS s (account_id, reference, scenario, asked, ready_at) VALUES ($1, $2, $3, 1, $4)
  ON CONFLICT ON CONSTRAINT sandbox_identities_pkey DO UPDATE SET asked = s.asked + 1
  RETURNING scenario, asked, ready_at AS "readyAt"`;
const SELECT = `
  SELECT scenario, asked, ready_at AS "readyAt" FROM sandbox_identities WHERE account_id = $1 AND reference = $2`;

const NO_ANSWER = { outcome: 'unknown', code: 'no_answer' } as const;

/** Who verifies identities in test mode. It keeps no number: only the scenario that its end stands for. */
@Injectable()
@VerifiesIdentities({ name: 'sandbox', mode: 'test' })
export class SandboxIdentities implements IdentityProvider {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  async verify({ reference, accountId, livemode, person }: VerificationOrder): Promise<VerifyResult> {
    if (livemode) throw new Error('the sandbox verifies nobody real');
    const now = await this.clock.agreedNow({ accountId, livemode });
    const scenario = SANDBOX_IDENTITIES.find(({ suffix }) => person.identity.number.endsWith(suffix))?.suffix ?? '';
    const readyAt = new Date(now.getTime() + durationMs(planOf(scenario).delay)!);
    const [row]: IdentityRow[] = await this.dataSource.query(ASK, [accountId, reference, scenario, readyAt]);
    return row!.asked === 1 && planOf(scenario).first !== undefined ? NO_ANSWER : standingOf(row!, reference, now);
  }

  async find({ reference, accountId, livemode }: VerificationRef): Promise<FindVerificationResult> {
    const [row]: IdentityRow[] = await this.dataSource.query(SELECT, [accountId, reference]);
    if (row === undefined || (planOf(row.scenario).first === 'order_lost' && row.asked === 1))
      return { outcome: 'not_known' };
    return standingOf(row, reference, await this.clock.agreedNow({ accountId, livemode }));
  }
}

function standingOf({ scenario, readyAt }: IdentityRow, reference: string, now: Date): VerifyResult {
  const { first, failure, tier } = planOf(scenario);
  const providerReference = `sbx_${reference}`;
  if (first === 'silent') return NO_ANSWER;
  if (now < readyAt) return { outcome: 'accepted' };
  if (failure) return { outcome: 'rejected', providerReference, ...failure };
  return { outcome: 'verified', providerReference, ...(tier && { tier }) };
}
