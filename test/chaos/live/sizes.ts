import { figure } from '../command-line';

const orders = figure('ORDERS', 160);

/** How much happens in a run, by environment variables: `ORDERS=2000 KILLS=10 npm run test:chaos:live`. */
export const SIZE = {
  /** Half of them top-ups, half of them payouts. */
  orders,
  payments: figure('PAYMENTS', Math.ceil(orders / 2)),
  cards: figure('CARDS', Math.ceil(orders / 20)),
  /** Of processes. */
  kills: figure('KILLS', 3),
  /** Each of a session of PostgreSQL and of the postmaster. */
  postgresKills: figure('POSTGRES_KILLS', 1),
  /** Of each kind, in the statement of each company. */
  planted: figure('PLANTED', 2),
};
