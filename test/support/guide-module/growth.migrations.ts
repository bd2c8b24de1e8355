import { GrowthContacts1763500000001 } from './0001-contacts';

/** The team's migrations in order; src/migrations/migrations.ts lists them behind its own. */
export const GROWTH_MIGRATIONS = [GrowthContacts1763500000001];
