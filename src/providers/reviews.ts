import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Env } from '../core/config/env';
import { bulkInsert, type Write } from '../core/database/bulk';
import { UnitOfWork } from '../core/database/unit-of-work';
import { DomainError } from '../core/errors/domain-error';
import { encodeId, newIdOf, timeOf } from '../core/http/ids';

/** Somebody with a log-in: two spellings of a name are one person, and two people have two. */
export interface Reviewer {
  readonly userId: string;
  /** E-mail address, as it was then. */
  readonly email: string;
}

/** What is decided about. */
export interface ReviewSubject {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly resource: 'txn' | 'pay' | 'rfd' | 'dep' | 'wal' | 'crd' | 'dsp' | 'cus';
  readonly id: string;
  /** Public id of what to name to people, when `id` is of something that does not exist yet. */
  readonly publicId?: string;
  /** Grows with each review of the same thing: what was decided in an earlier one does not count. */
  readonly round: number;
}

export interface Ballot {
  readonly person: Reviewer;
  /** Two who say the same agree. */
  readonly outcome: string;
  /** The evidence. */
  readonly note: string;
  /** What else is written with the decision, such as its entry in the audit log. */
  readonly writes?: (isSettled: boolean) => readonly Write[];
}

/** Who decided so far, and what. */
export interface Decided {
  readonly person: string;
  readonly outcome: string;
}

/** One person decided twice where two are needed. */
class SamePerson extends DomainError {
  constructor(person: string, { resource, id, publicId = encodeId(resource, id) }: ReviewSubject) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'A second person is needed',
      recovery: 'none',
      resourceId: publicId,
      detail: `${person} has decided so about ${publicId} before: somebody else must confirm it.`,
    });
  }
}

const insertVerdict = bulkInsert('review_verdicts', {
  account_id: 'uuid',
  livemode: 'boolean',
  resource: 'text',
  resource_id: 'uuid',
  id: 'uuid',
  round: 'integer',
  user_id: 'uuid',
  person: 'text',
  outcome: 'text',
  note: 'text',
});

const SELECT_LAST = `
  SELECT DISTINCT ON (user_id) user_id AS "userId", outcome FROM review_verdicts
   WHERE account_id = $1 AND livemode = $2 AND resource_id = $3 AND resource = $4 AND round = $5
   ORDER BY user_id, id DESC`;

/** Rows from before people decided by their log-ins are of round -1 and carry no time. */
const SELECT_TOLD = `
  SELECT id, outcome FROM review_verdicts
   WHERE account_id = $1 AND livemode = $2 AND resource_id = $3 AND resource = $4 AND round >= 0`;

/**
 * SQL of what people decided, as JSON. The expressions are SQL: of the account, the id and the round of what is
 * reviewed.
 */
export const decisionsOf = (accountId: string, id: string, round: string): string => `
  coalesce((SELECT json_agg(json_build_object('person', v.person, 'outcome', v.outcome) ORDER BY v.id)
     FROM review_verdicts v WHERE v.account_id = ${accountId} AND v.resource_id = ${id} AND v.round = ${round}), '[]')`;

/** Decisions of people about what no machine can settle: one person's, and above a threshold two people's. */
@Injectable()
export class Reviews {
  private readonly thresholds: ReadonlyMap<string, bigint>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    env: Env,
  ) {
    this.thresholds = thresholdsOf(env.REVIEW_TWO_PEOPLE_ABOVE);
  }

  /**
   * Of amounts in minor units, by `REVIEW_TWO_PEOPLE_ABOVE`. A currency that it does not name takes two for every
   * amount.
   */
  peopleNeeded(...amounts: readonly { readonly amount: bigint; readonly currency: string }[]): 1 | 2 {
    const isLarge = amounts.some(
      ({ amount, currency }) => amount > (this.thresholds.get(currency) ?? this.thresholds.get('*') ?? 0n),
    );
    return isLarge ? 2 : 1;
  }

  /** What people decided about something, as timelines tell it. */
  async told({
    accountId,
    livemode,
    resource,
    id,
  }: Omit<ReviewSubject, 'round'>): Promise<{ at: Date; kind: 'review.decision'; data: { outcome: string } }[]> {
    const rows: { id: string; outcome: string }[] = await this.dataSource.query(SELECT_TOLD, [
      accountId,
      livemode,
      id,
      resource,
    ]);
    return rows.map(({ id: verdictId, outcome }) => ({
      at: timeOf(verdictId),
      kind: 'review.decision',
      data: { outcome },
    }));
  }

  /**
   * Has `settle` carry the decision out once enough people agree, and write the given rows with it: verdict and
   * settlement are one. When it fails nothing is kept of this decision, and whoever made it may decide again. Null: a
   * second person must agree. Throws `SamePerson`.
   */
  async decide<T>(
    subject: ReviewSubject,
    ballot: Ballot,
    needed: 1 | 2,
    settle: (verdict: readonly Write[]) => Promise<T>,
  ): Promise<T | null> {
    const { accountId, livemode, resource, id } = subject;
    const {
      person: { userId, email },
      outcome,
      writes = () => [],
    } = ballot;
    const last: { userId: string; outcome: string }[] = await this.dataSource.query(SELECT_LAST, [
      accountId,
      livemode,
      id,
      resource,
      subject.round,
    ]);
    const isRepeated = last.some((one) => one.userId === userId && one.outcome === outcome);
    const agreed = last.filter((one) => one.userId !== userId && one.outcome === outcome).length + 1;
    const verdict = isRepeated ? [] : [verdictOf(subject, ballot)];
    if (agreed >= needed) return settle([...verdict, ...writes(true)]);
    if (isRepeated) throw new SamePerson(email, subject);
    await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, [...verdict, ...writes(false)]));
    return null;
  }
}

const verdictOf = (
  { accountId, livemode, resource, id, round }: ReviewSubject,
  { person, outcome, note }: Ballot,
): Write =>
  insertVerdict.row({
    account_id: accountId,
    livemode,
    resource,
    resource_id: id,
    id: newIdOf(accountId),
    round,
    user_id: person.userId,
    person: person.email,
    outcome,
    note,
  });

/** `NGN:5000000,USD:10000`, or one number for every currency. */
function thresholdsOf(setting: string): ReadonlyMap<string, bigint> {
  const pairs = setting
    .split(',')
    .map((part) => (part.includes(':') ? part.split(':') : ['*', part]) as [string, string]);
  return new Map(pairs.map(([currency, amount]) => [currency.trim(), BigInt(amount)]));
}
