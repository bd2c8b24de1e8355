import { Injectable } from '@nestjs/common';
import type { Reviewer } from '../../providers/reviews';
import type { Write } from '../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import { auditWrite } from '../dashboard-api/audit.service';
import { PeopleService, sameEmail } from '../dashboard-api/people.service';
import { ReasonNeeded } from './platform.errors';
import type { OperatorOrder, Order } from './platform.types';

/** What is written to the audit log of an account. */
export interface OperatorDeed {
  /** Account uuid. */
  readonly accountId: string;
  readonly action: string;
  /** Public id of what it was done to. */
  readonly target: string;
  readonly detail?: object;
}

/**
 * What operators do, at the command line or with a key of the platform: who they are, and the entry that is written
 * with the deed.
 */
@Injectable()
export class Deeds {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly people: PeopleService,
  ) {}

  /** An operator's log-in. A name that somebody types is no person. Throws `NotFound`. */
  async operator(email: string): Promise<Reviewer> {
    const people = await this.people.listByEmail(sameEmail(email));
    const { id: userId, email: address } = found(
      people.find(({ operator }) => operator),
      'operator',
      '/person',
    );
    return { userId, email: address };
  }

  /** An order of an operator. Throws `ReasonNeeded`, `NotFound`. */
  async orderOf(person: string, reason: string | undefined): Promise<OperatorOrder> {
    if (reason === undefined) throw new ReasonNeeded();
    const operator = await this.operator(person);
    return { operator, name: operator.email, reason, ip: null };
  }

  entry({ operator, name, reason, ip }: Order, { detail, ...deed }: OperatorDeed): Write {
    return auditWrite({
      ...deed,
      userId: operator?.userId ?? null,
      actor: `operator ${name}`,
      ip,
      detail: { reason, ...detail },
    });
  }

  /** Does what makes a deed, and writes its entry, together. Null: there is no audit log that it belongs to. */
  run<T>(order: Order, work: (tx: Tx) => Promise<[T, OperatorDeed | null]>): Promise<T> {
    return this.unitOfWork.run(async (tx) => {
      const [result, deed] = await work(tx);
      if (deed !== null) await this.unitOfWork.write(tx, [this.entry(order, deed)]);
      return result;
    });
  }

  /** The account in whose audit log stands what concerns a person and no account; null for people in no team. */
  async accountOf(...people: readonly string[]): Promise<string | null> {
    for (const userId of people) {
      const member = await this.people.findMembership(userId);
      if (member !== null) return member.accountId;
    }
    return null;
  }
}
