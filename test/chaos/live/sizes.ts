import { figure } from '../figure';

/** How much happens in a run, by environment variables: `ORDERS=2000 KILLS=10 npm run test:chaos:live`. */
export const SIZE = {
  /** Half of them top-ups, half of them payouts. */
  orders: figure('ORDERS', 160),
  /** Of processes. */
  kills: figure('KILLS', 3),
  /** Of each kind, in the statement of each company. */
  planted: figure('PLANTED', 2),
};
