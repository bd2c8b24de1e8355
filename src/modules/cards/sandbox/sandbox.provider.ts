import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AboutOrder, NotKnownOutcome, UnknownOutcome } from '../../../providers/answers';
import { Clock, durationMs } from '../../../core/clock/clock';
import { Env } from '../../../core/config/env';
import { keysFor } from '../../../core/secrets/secret-box';
import type { Recovery } from '../../../core/errors/domain-error';
import { luhnDigit } from '../../../core/text/luhn';
import {
  type Brand,
  type CardIssuer,
  type CardOrder,
  type CardRef,
  type DisputeOrder,
  type DisputeRef,
  type DisputeResult,
  type FindCardResult,
  type FindDisputeResult,
  type IssueResult,
  type IssuerRefused,
  type IssuerState,
  IssuesCards,
  type Revealed,
  type UpdateResult,
} from '../card-issuer';
import table from './cardholders.json';
import { SandboxDisputes } from './sandbox-disputes';

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
const planOf = (lastName: string): SandboxCardholder =>
  SANDBOX_CARDHOLDERS.find(({ last_name: name }) => name.toLowerCase() === lastName.trim().toLowerCase()) ?? WILLING;

const delayMsOf = ({ delay }: SandboxCardholder): number => durationMs(delay)!;

const refusalOf = ({ code, message, recovery }: SandboxCardholder): IssuerRefused & AboutOrder => ({
  outcome: 'refused',
  about: 'order',
  code: code!,
  message: message ?? '',
  recovery: recovery ?? 'none',
});

const unknownOf = ({ code }: SandboxCardholder): UnknownOutcome => ({ outcome: 'unknown', code: code ?? 'timeout' });

const VALID_YEARS = 3;

/** What it remembers of a card. */
interface SandboxCard {
  readonly scenario: string;
  /** How often the order came, and, of a stubborn one, how often it was told a state. */
  readonly calls: number;
  readonly status: string;
  readonly ready_at: Date;
}

const REMEMBER = `
  INSERT INTO sandbox_cards AS s (account_id, reference, scenario, status, calls, ready_at)
    VALUES ($1, $2, $3, 'active', 1, $4)
  ON CONFLICT ON CONSTRAINT sandbox_cards_pkey DO UPDATE SET calls = s.calls + 1
  RETURNING scenario, calls, status, ready_at`;

// Told the state that it is in: nothing changes. The first time that a stubborn one hears of a new state it only
// counts.
const TELL = `
  UPDATE sandbox_cards
     SET calls = calls + 1, status = CASE WHEN $4 AND status <> 'told_' || $3 THEN 'told_' || $3 ELSE $3 END
   WHERE account_id = $1 AND reference = $2 RETURNING status`;

/** Ranges that no bank uses for real cards. */
const TEST_BIN: Readonly<Record<Brand, string>> = { visa: '400000', mastercard: '520000' };
const FREE_DIGITS = 9;
const CVV_DIGITS = 3;

/** Numbers of test cards: they follow from the card's id and `SECRETS_KEY`, so that nobody keeps them. */
@Injectable()
export class SandboxNumbers {
  private readonly key: Buffer;

  constructor(env: Env) {
    [this.key] = keysFor('duka/sandbox-cards/v1', env) as [Buffer];
  }

  /** 16 digits that pass the Luhn check. */
  numberOf(cardId: string, brand: Brand): string {
    const body = TEST_BIN[brand] + this.digits(`number/${cardId}`, FREE_DIGITS);
    return body + luhnDigit(body);
  }

  cvvOf(cardId: string): string {
    return this.digits(`cvv/${cardId}`, CVV_DIGITS);
  }

  private digits(label: string, count: number): string {
    const random = BigInt(`0x${createHmac('sha256', this.key).update(label).digest('hex')}`);
    return (random % 10n ** BigInt(count)).toString().padStart(count, '0');
  }
}

/** Issues cards for tests: what it does is in the cardholder's last name, see `GET /v4/sandbox/scenarios`. */
@Injectable()
@IssuesCards({ name: 'sandbox', mode: 'test' })
export class SandboxIssuer implements CardIssuer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly numbers: SandboxNumbers,
    private readonly disputes: SandboxDisputes,
  ) {}

  async issue(order: CardOrder): Promise<IssueResult> {
    if (order.livemode) throw new Error('the sandbox issues nothing real');
    const plan = planOf(order.cardholder.lastName);
    const now = await this.clock.agreedNow(order);
    const readyAt = new Date(now.getTime() + delayMsOf(plan));
    const [card]: SandboxCard[] = await this.dataSource.query(REMEMBER, [
      order.accountId,
      order.reference,
      plan.last_name,
      readyAt,
    ]);
    if (plan.answer === 'lost' && card!.calls === 1) return unknownOf(plan);
    if (plan.answer === 'unknown' && (card!.calls === 1 || isUndecided(plan, card!, now))) return unknownOf(plan);
    return this.ending(order, plan, card!);
  }

  async find(ref: CardRef): Promise<FindCardResult> {
    const card = await this.recall(ref);
    const plan = card && planOf(card.scenario);
    if (card === null || plan === null || (plan.answer === 'lost' && card.calls === 1)) return { outcome: 'not_known' };
    return isUndecided(plan, card, await this.clock.agreedNow(ref)) ? unknownOf(plan) : this.ending(ref, plan, card);
  }

  async setState(ref: CardRef, state: IssuerState): Promise<UpdateResult> {
    const card = await this.recall(ref);
    if (card === null)
      return { outcome: 'refused', code: 'no_such_card', message: 'The issuer has no such card.', recovery: 'none' };
    if (card.status === state) return { outcome: 'done' };
    if (card.status === 'terminated')
      return { outcome: 'refused', code: 'card_terminated', message: 'The card is terminated.', recovery: 'none' };
    const isStubborn = planOf(card.scenario).stubborn ?? false;
    const [[told]]: [{ status: string }[]] = await this.dataSource.query(TELL, [
      ref.accountId,
      ref.reference,
      state,
      isStubborn,
    ]);
    return told!.status === state ? { outcome: 'done' } : { outcome: 'unknown', code: 'timeout' };
  }

  async reveal({ reference, brand, livemode }: CardRef): Promise<Revealed> {
    if (livemode) throw new Error('the sandbox shows nothing real');
    return { number: this.numbers.numberOf(reference, brand), cvv: this.numbers.cvvOf(reference) };
  }

  dispute(order: DisputeOrder): Promise<DisputeResult> {
    return this.disputes.dispute(order);
  }

  findDispute(dispute: DisputeRef): Promise<FindDisputeResult> {
    return this.disputes.findDispute(dispute);
  }

  withdrawDispute(dispute: DisputeRef): Promise<UpdateResult> {
    return this.disputes.withdrawDispute(dispute);
  }

  private async recall({ accountId, reference }: CardRef): Promise<SandboxCard | null> {
    const rows: SandboxCard[] = await this.dataSource.query(
      'SELECT scenario, calls, status, ready_at FROM sandbox_cards WHERE account_id = $1 AND reference = $2',
      [accountId, reference],
    );
    return rows[0] ?? null;
  }

  private ending(
    { reference, brand }: CardRef,
    plan: SandboxCardholder,
    { ready_at: madeAt }: SandboxCard,
  ): Exclude<FindCardResult, NotKnownOutcome> {
    if (plan.later === 'refused') return refusalOf(plan);
    return {
      outcome: 'done',
      issuerReference: `sbx_${reference}`,
      last4: this.numbers.numberOf(reference, brand).slice(-4),
      expMonth: madeAt.getUTCMonth() + 1,
      expYear: madeAt.getUTCFullYear() + VALID_YEARS,
    };
  }
}

const isUndecided = ({ later }: SandboxCardholder, { ready_at }: SandboxCard, now: Date): boolean =>
  later === 'never' || now < ready_at;
