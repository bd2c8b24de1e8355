import { figure } from '../command-line';

/** How much happens in a run, by environment variables: `ROWS=10000 KILLS=20 npm run test:chaos:money`. */
export const SIZE = {
  /** Of the batches that are carried out while processes are killed. */
  rows: figure('ROWS', 600),
  /** Of processes: as many while batches run, and again while payouts and transfers come. */
  kills: figure('KILLS', 4),
  payouts: figure('PAYOUTS', 80),
  /** Bank transfers to virtual accounts. */
  transfers: figure('TRANSFERS', 80),
};
