import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import type { Reviewer } from '../core/adapters/reviews';
import { type Tx, UnitOfWork } from '../core/database/unit-of-work';
import { DomainError } from '../core/errors/domain-error';
import { found } from '../core/errors/not-found';
import { type Deed, deedWrite } from '../modules/dashboard-api/audit.service';
import { sameEmail } from '../modules/dashboard-api/log-in.service';
import { PeopleService } from '../modules/dashboard-api/people.service';
import type { DukaCommand } from './commands';
import { name } from './option-values';

/** Who is said to order something at the command line, and why. */
export interface Orderer {
  readonly person: string;
  readonly reason?: string;
}

interface OperatorDeed {
  /** Account uuid. */
  readonly accountId: string;
  readonly action: string;
  /** Public id of what it was done to. */
  readonly target: string;
  readonly detail?: object;
}

class ReasonNeeded extends DomainError {
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

/** Options of a command that changes an account: they go to its audit log. */
export const asOperator = (command: DukaCommand): DukaCommand =>
  command
    .option('--person <who>', 'who orders it; for live money the e-mail of an operator', name, userInfo().username)
    .option('--reason <text>', 'why: goes to the audit log; needed for live money', name);

/** Who decides at the command line: an operator's log-in. A name that somebody types is no person. Throws `NotFound`. */
export async function operatorOf(app: INestApplicationContext, email: string): Promise<Reviewer> {
  const people = await app.get(PeopleService, { strict: false }).listByEmail(sameEmail(email));
  const { id: userId, email: address } = found(
    people.find(({ operator }) => operator),
    'operator',
    '/person',
  );
  return { userId, email: address };
}

/** Likewise for live money, where a reason is needed, too. */
export async function liveOperatorOf(app: INestApplicationContext, { person, reason }: Orderer): Promise<Reviewer> {
  if (reason === undefined) throw new ReasonNeeded();
  return operatorOf(app, person);
}

/** What goes to the audit log. `operator`: null where the name that was typed will do. */
export const deedOf = (
  operator: Reviewer | null,
  { person, reason = '' }: Orderer,
  { detail, ...deed }: OperatorDeed,
): Deed => ({
  ...deed,
  userId: operator?.userId ?? null,
  actor: `operator ${operator?.email ?? person}`,
  ip: null,
  detail: { reason, ...detail },
});

/** Does what makes a deed, and writes its entry, together. The entry is null where there is no audit log that it belongs to. */
export function inOneTransaction<T>(
  app: INestApplicationContext,
  work: (tx: Tx) => Promise<[T, Deed | null]>,
): Promise<T> {
  const unitOfWork = app.get(UnitOfWork);
  return unitOfWork.run(async (tx) => {
    const [result, deed] = await work(tx);
    if (deed !== null) await unitOfWork.write(tx, [deedWrite(deed)]);
    return result;
  });
}
