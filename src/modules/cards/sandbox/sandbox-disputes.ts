import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../core/clock/clock';
import type { Refused } from '../../../providers/answers';
import type { DisputeOrder, DisputeRef, DisputeResult, FindDisputeResult, UpdateResult } from '../card-issuer';
import table from './dispute-outcomes.json';

/** What the text of the evidence makes the sandbox's issuer do. */
export interface SandboxDispute {
  readonly evidence: string;
  readonly description: string;
  /** Whether it credits the amount before it decides. */
  readonly provisional?: boolean;
  /** To the first order. `lost`: it never arrives; `silent`: nor does anything else. */
  readonly first?: 'unknown' | 'lost' | 'silent';
  readonly failure?: Refused;
  readonly decision: 'won' | 'lost';
  readonly isHalf?: boolean;
  readonly isStubborn?: boolean;
  readonly final: { readonly status: string; readonly needs_review: boolean };
}

/** Every one that is not simply won: the issuer behaves by it, the scenarios list it, and a test walks it. */
export const SANDBOX_DISPUTES = table as readonly SandboxDispute[];

const WON: Omit<SandboxDispute, 'evidence' | 'description' | 'final'> = { decision: 'won' };

const planOf = (evidence: string) =>
  SANDBOX_DISPUTES.find((one) => one.evidence === evidence.trim().toUpperCase()) ?? WON;

/** By the account's clock, until it decides. */
const REVIEW_MS = 24 * 3_600_000;

interface DisputeRow {
  readonly scenario: string;
  readonly amount: string;
  readonly asked: number;
  readonly withdrawn: number;
  readonly readyAt: Date;
}

const COLUMNS = 'scenario, amount, asked, withdrawn, ready_at AS "readyAt"';
const ASK = `
  INSERT INTO sandbox_disputes AS s (account_id, reference, scenario, amount, asked, ready_at)
    VALUES ($1, $2, $3, $4, 1, $5)
  ON CONFLICT ON CONSTRAINT sandbox_disputes_pkey DO UPDATE SET asked = s.asked + 1
  RETURNING ${COLUMNS}`;
const SELECT = `SELECT ${COLUMNS} FROM sandbox_disputes WHERE account_id = $1 AND reference = $2`;
const WITHDRAW = `
  UPDATE sandbox_disputes SET withdrawn = 1 WHERE account_id = $1 AND reference = $2 AND ready_at > $3`;

const NO_ANSWER = { outcome: 'unknown', code: 'no_answer' } as const;
const NOT_LET_GO = {
  outcome: 'refused',
  code: 'dispute_not_withdrawable',
  message: 'The issuer does not let the dispute go.',
  recovery: 'none',
} as const;

/** The disputes of the sandbox's issuer: one for each reference. */
@Injectable()
export class SandboxDisputes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  async dispute({ reference, card, amount, evidence }: DisputeOrder): Promise<DisputeResult> {
    if (card.livemode) throw new Error('the sandbox disputes nothing real');
    const now = await this.clock.agreedNow(card);
    const scenario = evidence.text.trim().toUpperCase().slice(0, 40);
    const readyAt = new Date(now.getTime() + REVIEW_MS);
    const asked = [card.accountId, reference, scenario, amount, readyAt];
    const [row]: DisputeRow[] = await this.dataSource.query(ASK, asked);
    return row!.asked === 1 && planOf(scenario).first !== undefined ? NO_ANSWER : standingOf(row!, reference, now);
  }

  async findDispute({ reference, card }: DisputeRef): Promise<FindDisputeResult> {
    const [row]: DisputeRow[] = await this.dataSource.query(SELECT, [card.accountId, reference]);
    if (row === undefined || (planOf(row.scenario).first === 'lost' && row.asked === 1))
      return { outcome: 'not_known' };
    return standingOf(row, reference, await this.clock.agreedNow(card));
  }

  async withdrawDispute({ reference, card }: DisputeRef): Promise<UpdateResult> {
    const [row]: DisputeRow[] = await this.dataSource.query(SELECT, [card.accountId, reference]);
    if (row === undefined || planOf(row.scenario).isStubborn) return NOT_LET_GO;
    const now = await this.clock.agreedNow(card);
    const [, withdrawn]: [unknown, number] = await this.dataSource.query(WITHDRAW, [card.accountId, reference, now]);
    return withdrawn === 1 ? { outcome: 'done' } : NOT_LET_GO;
  }
}

type Standing = DisputeResult & FindDisputeResult;

function standingOf({ scenario, amount, withdrawn, readyAt }: DisputeRow, reference: string, now: Date): Standing {
  const { failure, first, provisional, decision, isHalf } = planOf(scenario);
  const issuerReference = `sbx_${reference}`;
  if (failure) return { outcome: 'refused', about: 'order', ...failure };
  if (first === 'silent') return NO_ANSWER;
  if (withdrawn === 1) return { outcome: 'withdrawn', issuerReference };
  const whole = BigInt(amount);
  if (now < readyAt) return { outcome: 'under_review', issuerReference, provisionalCredit: provisional ? whole : null };
  if (decision === 'lost') return { outcome: 'lost', issuerReference };
  return { outcome: 'won', issuerReference, amount: isHalf ? (whole + 1n) / 2n : whole };
}
