import { Injectable } from '@nestjs/common';
import type { Reviewer } from '../../providers/reviews';
import type { Write } from '../../core/database/bulk';
import type { Tx } from '../../core/database/unit-of-work';
import { DomainError, found } from '../../core/errors/domain-error';
import { type AuditEntry, AuditService, auditWrite } from '../dashboard-api/audit.service';
import { PeopleService, sameEmail } from '../dashboard-api/people.service';

/** Who orders something of the platform, and why. */
export interface Order {
  /** Null: a name that somebody typed. */
  readonly operator: Reviewer | null;
  readonly name: string;
  readonly reason: string;
  readonly ip: string | null;
}

/** Where live money is concerned, or people are. */
export interface OperatorOrder extends Order {
  readonly operator: Reviewer;
}

/** Who orders it, once it is known whether that is live money. */
export type OrderFor = (livemode: boolean) => Promise<Order>;

export class ReasonNeeded extends DomainError {
  constructor() {
    super({
      code: 'validation_failed',
      kind: 'malformed',
      title: 'Reason needed',
      param: '/reason',
      detail:
        'What concerns live money has a --reason, and the log-in of an operator as --person: both go to the audit log.',
    });
  }
}

/** What is written to the audit log of an account, beside who ordered it and why. */
export type OrderedEntry = Pick<AuditEntry, 'accountId' | 'action' | 'target' | 'detail'>;

/**
 * What operators order, at the command line or with a key of the platform: who they are, and the entry of the audit log
 * that is written with what they ordered.
 */
@Injectable()
export class OperatorOrders {
  constructor(
    private readonly people: PeopleService,
    private readonly audit: AuditService,
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

  /** Of an account of this cell. */
  entry(order: Order, entry: OrderedEntry): Write {
    return auditWrite(entryOf(order, entry));
  }

  /** Does what was ordered and writes its entry, together. Null: there is no audit log that it belongs to. */
  async run<T>(order: Order, work: (tx: Tx) => Promise<[T, OrderedEntry | null]>): Promise<T> {
    let result!: T;
    await this.audit.along(async (tx) => {
      const [done, entry] = await work(tx);
      result = done;
      return entry && entryOf(order, entry);
    });
    return result;
  }

  /** Likewise, where whoever does it asks on the way for what is written with it. */
  with<T>(order: Order, work: (writesOf: (entry: OrderedEntry) => readonly Write[]) => Promise<T>): Promise<T> {
    return this.audit.with((writesOf) => work((entry) => writesOf(entryOf(order, entry))));
  }

  /** The account in whose audit log stands what concerns a person and no account; null for people in no team. */
  async accountOf(...people: readonly string[]): Promise<string | null> {
    for (const userId of people) {
      const [first] = await this.people.accountsOf(userId);
      if (first !== undefined) return first.accountId;
    }
    return null;
  }
}

const entryOf = ({ operator, name, reason, ip }: Order, { detail, ...entry }: OrderedEntry): AuditEntry => ({
  ...entry,
  userId: operator?.userId ?? null,
  actor: `operator ${name}`,
  ip,
  detail: { reason, ...detail },
});
