import { userInfo } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import { Deeds } from '../modules/platform/deeds.service';
import type { OperatorOrder, Order } from '../modules/platform/platform.types';
import type { DukaCommand } from './commands';
import { name } from './option-values';

/** Who is said to order something at the command line, and why. */
export interface Orderer {
  readonly person: string;
  readonly reason?: string;
}

/** Options of a command that changes an account: they go to its audit log. */
export const asOperator = (command: DukaCommand): DukaCommand =>
  command
    .option('--person <who>', 'who orders it; for live money the e-mail of an operator', name, userInfo().username)
    .option('--reason <text>', 'why: goes to the audit log; needed for live money', name);

/** Throws `ReasonNeeded`, `NotFound`. */
export const orderOf = (app: INestApplicationContext, { person, reason }: Orderer): Promise<OperatorOrder> =>
  app.get(Deeds).orderOf(person, reason);

/** Where the name that was typed will do. */
export const typedOrder = ({ person, reason = '' }: Orderer): Order => ({
  operator: null,
  name: person,
  reason,
  ip: null,
});

/** Of live money an operator's order, of test money anybody's. */
export const orderFor =
  (app: INestApplicationContext, by: Orderer) =>
  async (livemode: boolean): Promise<Order> =>
    livemode ? orderOf(app, by) : typedOrder(by);
