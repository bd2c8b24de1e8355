import type { INestApplicationContext } from '@nestjs/common';
import type { Reviewer } from '../core/adapters/reviews';
import { found } from '../core/errors/not-found';
import { sameEmail } from '../modules/dashboard-api/log-in.service';
import { PeopleService } from '../modules/dashboard-api/people.service';

/** Who decides at the command line: an operator's log-in. A name that somebody types is no person. Throws `NotFound`. */
export async function operatorOf(app: INestApplicationContext, email: string): Promise<Reviewer> {
  const people = await app.get(PeopleService, { strict: false }).listByEmail(sameEmail(email));
  const { id: userId, email: address } = found(people.find(({ operator }) => operator), 'operator');
  return { userId, email: address };
}
