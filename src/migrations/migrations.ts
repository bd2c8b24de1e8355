import { Roles1763000000001 } from './0001-roles';
import { Accounts1763000000002 } from './0002-accounts';
import { Partitions1763000000003 } from './0003-partitions';
import { Ledger1763000000004 } from './0004-ledger';
import { ClaimsAndEvents1763000000005 } from './0005-claims-and-events';
import { Wallets1763000000006 } from './0006-wallets';

/** All migrations in order. A list, not a glob: what is not listed does not run. */
export const MIGRATIONS = [
  Roles1763000000001,
  Accounts1763000000002,
  Partitions1763000000003,
  Ledger1763000000004,
  ClaimsAndEvents1763000000005,
  Wallets1763000000006,
];
