import { readdirSync } from 'node:fs';
import { Client } from 'pg';
import { SEALED_TABLES } from '../src/core/secrets/rotation';
import { BENEFICIARY_KINDS } from '../src/modules/beneficiaries/beneficiary.entity';
import { SOLD_PRODUCTS, TRANSACTION_TYPES } from '../src/vocabulary/products';
import { createTestDatabase, type TestDatabase } from './support/database';

/** Our tables; a partition follows its parent. TypeORM's list of migrations is its own, and one row per release. */
const TABLES = `(
  SELECT c.oid, c.relname AS "table", c.relkind AS kind FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_migrations')`;

/** Indexes with the name of their first column. */
const INDEXES = `(
  SELECT t."table", i.indexrelid::regclass::text AS index, i.indisunique AS is_unique, i.indisprimary AS is_primary, a.attname AS first
    FROM pg_index i JOIN ${TABLES} t ON t.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0])`;

const OF_ACCOUNTS = `
  SELECT oid, "table" FROM ${TABLES} t
   WHERE EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = t.oid AND attname = 'account_id' AND NOT attisdropped)`;

const may = (right: string, table = 't.oid'): string => `has_table_privilege('duka_app', ${table}, '${right}')`;

/** The platform's own tables: what is sold, at which price, by whom. */
const OF_PLATFORM = `'networks', 'data_plans', 'bill_categories', 'billers', 'biller_items', 'fees', 'fx_rates', 'kyc_tier_limits', 'banks', 'provider_routes', 'provider_calls', 'provider_sessions', 'provider_floats', 'provider_differences', 'float_movements', 'deposit_sweeps', 'platform_keys', 'mails', 'incidents', 'incident_updates', 'ledger_verifications', 'catalogue_syncs', 'cells', 'this_cell', 'slot_moves', 'slot_move_sums', 'announcements', 'heard_announcements'`;

const ELSEWHERE = `'api_keys_by_hash', 'ledger_accounts_newest',
  'payments_due', 'refunds_due', 'purchases_due', 'purchase_attempts_by_id', 'sandbox_callbacks_due', 'provider_exchanges_company', 'hook_jobs_by_observer', 'events_by_xact', 'webhook_deliveries_due',
  'batches_due', 'reports_due', 'virtual_accounts_due', 'deposits_due', 'cell_transfers_due', 'cards_due', 'card_transactions_due', 'disputes_due', 'customers_due', 'wallets_by_closing', 'card_reveals_by_token',
  'sessions_by_token', 'sessions_open_by_person', 'password_resets_by_person', 'team_members_by_user', 'team_members_by_invite', 'password_resets_by_token'`;

/** A team's table begins with the name of its folder; what grows in it is the team's to know. */
const TEAMS = readdirSync('src/extensions', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const OF_TEAMS = `^(${TEAMS.join('|')})_`;

/** A rule of the schema, what breaks it in the catalogue, and a change after which it is broken. */
type Rule = readonly [rule: string, violations: string, plant: string];

const DISTRIBUTION: readonly Rule[] = [
  [
    "each table belongs to accounts, but for the accounts and what is the platform's",
    `SELECT "table" FROM ${TABLES} t
      WHERE "table" NOT IN ('accounts', 'ledger_batches', 'partitioned_tables', 'relay_position', 'users', 'secrets_check', 'recurring_runs', 'event_readers', 'passkeys', 'passkey_challenges', 'device_logins', ${OF_PLATFORM}) AND "table" NOT IN (SELECT "table" FROM (${OF_ACCOUNTS}) o)`,
    'CREATE TABLE surcharges (id uuid, CONSTRAINT surcharges_pkey PRIMARY KEY (id))',
  ],
  [
    'the account leads every primary key',
    `SELECT o."table" FROM (${OF_ACCOUNTS}) o LEFT JOIN ${INDEXES} i ON i."table" = o."table" AND i.is_primary WHERE i.first IS DISTINCT FROM 'account_id'`,
    'CREATE TABLE vouchers (id uuid, account_id uuid, CONSTRAINT vouchers_pkey PRIMARY KEY (id, account_id))',
  ],
  [
    'the account leads every unique index',
    `SELECT i.index FROM (${OF_ACCOUNTS}) o JOIN ${INDEXES} i USING ("table") WHERE i.is_unique AND i.first <> 'account_id'`,
    'CREATE UNIQUE INDEX api_keys_by_hash_once ON api_keys (hash)',
  ],
  [
    // Two find the account of a key or a wallet, one that of a callback; a purge visits every shard.
    'the account leads every other index, but for a few',
    `SELECT i.index FROM (${OF_ACCOUNTS}) o JOIN ${INDEXES} i USING ("table")
      WHERE i.first <> 'account_id' AND i.index NOT IN (${ELSEWHERE})`,
    'CREATE INDEX transactions_by_time ON transactions (updated_at)',
  ],
  [
    'no sequence hands out numbers',
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'S' AND relname <> 'schema_migrations_id_seq'`,
    'ALTER TABLE transfers ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY',
  ],
  [
    'no row points to a row of another account: there are no foreign keys',
    `SELECT conname FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
    `ALTER TABLE api_keys ADD CONSTRAINT api_keys_account FOREIGN KEY (account_id) REFERENCES accounts (id)`,
  ],
  [
    'no trigger reads other rows: there are none',
    `SELECT tgname FROM pg_trigger g JOIN ${TABLES} t ON t.oid = g.tgrelid WHERE NOT tgisinternal`,
    'CREATE TRIGGER wallets_touch BEFORE UPDATE ON wallets FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
  ],
];

const HISTORY: readonly Rule[] = [
  [
    // A transfer is looked up by its id for as long as there is an account, like the transactions beside it.
    'what the application only adds to is split by month, but for transfers, conversions, what was said of wallets and transactions, closed days, decisions of people, money that went to providers, incidents and tables of teams',
    `SELECT "table" FROM ${TABLES} t
      WHERE "table" !~ '${OF_TEAMS}' AND kind <> 'p' AND "table" NOT IN ('transfers', 'conversions', 'wallet_versions', 'transaction_versions', 'wallet_days', 'secrets_check', 'review_verdicts', 'float_movements', 'incidents', 'incident_updates', 'cell_credits') AND ${may('INSERT')}
        AND NOT ${may('DELETE')} AND NOT has_any_column_privilege('duka_app', t.oid, 'UPDATE')`,
    'CREATE TABLE attempts (account_id uuid, id uuid, CONSTRAINT attempts_pkey PRIMARY KEY (account_id, id))',
  ],
  [
    'each table that is split has its partitions made ahead of time',
    `SELECT "table" FROM ${TABLES} t LEFT JOIN partitioned_tables r ON r.name = t."table"
      WHERE kind = 'p' AND (r.name IS NULL OR (SELECT count(*) FROM pg_inherits WHERE inhparent = t.oid) < 3)`,
    'CREATE TABLE attempts (account_id uuid, id uuid, CONSTRAINT attempts_pkey PRIMARY KEY (account_id, id)) PARTITION BY RANGE (id)',
  ],
  [
    'the application cannot change or remove an entry or an event',
    `SELECT c.relname, kind FROM pg_class c CROSS JOIN unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS kind
      WHERE c.relname ~ '^(ledger_entries|events)(_\\d{4}_\\d{2})?$'
        AND (has_table_privilege('duka_app', c.oid, kind) OR (kind = 'UPDATE' AND has_any_column_privilege('duka_app', c.oid, kind)))`,
    'GRANT UPDATE (amount) ON ledger_entries TO duka_app',
  ],
  [
    'the application cannot change the digest of a batch, nor its id',
    `SELECT attname FROM pg_attribute WHERE attrelid = 'ledger_batches'::regclass AND attname IN ('id', 'digest')
        AND has_column_privilege('duka_app', attrelid, attnum, 'UPDATE')`,
    'GRANT UPDATE (digest) ON ledger_batches TO duka_app',
  ],
  [
    'the application removes nothing but what it keeps for a while',
    `SELECT "table" FROM ${TABLES} t WHERE (${may('DELETE')} AND "table" NOT IN ('claims', 'hook_jobs', 'provider_calls', 'quotes', 'report_pieces', 'request_exchanges', 'card_authorization_endpoints', 'mails', 'password_resets', 'saved_views', 'passkeys', 'announcements', 'heard_announcements', 'passkey_challenges', 'device_logins')) OR ${may('TRUNCATE')}`,
    'GRANT DELETE ON wallets TO duka_app',
  ],
];

/** What makes somebody more than they are: set by the owner of the database, at an operator's command. */
const OF_OPERATORS = `'live_enabled', 'tier', 'time_zone', 'operator', 'freeze_direction', 'frozen_until', 'unfreezing_due'`;

const POWERS: readonly Rule[] = [
  [
    'the application cannot make an operator or open live mode, but may set every other column of people and accounts',
    `SELECT attrelid::regclass, attname FROM pg_attribute
      WHERE attrelid IN ('accounts'::regclass, 'users'::regclass) AND attnum > 0 AND NOT attisdropped
        AND (attname IN (${OF_OPERATORS})) = has_column_privilege('duka_app', attrelid, attnum, 'INSERT')`,
    'ALTER TABLE users ADD COLUMN nickname text',
  ],
  [
    'the application cannot lend: neither on a wallet nor on a new one, nor say that it was lent before',
    `SELECT attname, kind FROM pg_attribute CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE']) AS kind
      WHERE attnum > 0 AND NOT attisdropped AND has_column_privilege('duka_app', attrelid, attnum, kind)
        AND (attrelid = 'credit_lines'::regclass OR (attrelid = 'ledger_accounts'::regclass AND attname IN ('credit_limit', 'lowest')))`,
    'GRANT UPDATE (lowest) ON ledger_accounts TO duka_app',
  ],
  [
    'the application cannot set a rate of exchange',
    `SELECT kind FROM unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) AS kind WHERE has_table_privilege('duka_app', 'fx_rates', kind)`,
    'GRANT INSERT ON fx_rates TO duka_app',
  ],
  [
    'the application cannot say what cardholders may have on cards',
    `SELECT kind FROM unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) AS kind WHERE has_table_privilege('duka_app', 'kyc_tier_limits', kind)`,
    'GRANT UPDATE ON kyc_tier_limits TO duka_app',
  ],
  [
    'the application cannot change whom a fee is for',
    `SELECT attname FROM pg_attribute WHERE attrelid = 'fees'::regclass AND attname IN ('product', 'tier', 'currency') AND has_column_privilege('duka_app', attrelid, attnum, 'UPDATE')`,
    'GRANT UPDATE (tier) ON fees TO duka_app',
  ],
];

const VACUUM: readonly Rule[] = [
  [
    'balances are cleared of dead versions at an allowance of their own, however long months take',
    `SELECT relname FROM pg_class WHERE oid = 'ledger_accounts'::regclass
        AND 'autovacuum_vacuum_cost_delay=2' <> ALL (coalesce(reloptions, '{}'))`,
    'ALTER TABLE ledger_accounts RESET (autovacuum_vacuum_cost_delay)',
  ],
];

const SECRETS: readonly Rule[] = [
  [
    'bytes are digests, files, or sealed where secrets:rotate finds them',
    `SELECT "table", attname FROM ${TABLES} t JOIN pg_attribute a ON a.attrelid = t.oid AND a.atttypid IN ('bytea'::regtype, 'bytea[]'::regtype) AND NOT attisdropped
      WHERE ("table", attname) NOT IN (('report_pieces', 'bytes'), ('account_brandings', 'logo')) AND attname !~ '(hash|fingerprint|digest|chain|recovery_codes|likeness)$'
        AND ("table", attname) NOT IN (${SEALED_TABLES.flatMap(({ table, columns }) => columns.map((column) => `('${table}', '${column}')`)).join(', ')})`,
    'ALTER TABLE wallets ADD COLUMN pin bytea',
  ],
];

const NAMES: readonly Rule[] = [
  [
    // PostgreSQL numbers the names that it makes up itself, and code matches on names.
    'constraints are named by hand, after their table',
    `SELECT conname FROM pg_constraint k JOIN ${TABLES} t ON t.oid = k.conrelid
      WHERE contype <> 'n' AND (NOT starts_with(conname, "table" || '_') OR conname ~ '_(check|key|fkey|excl)\\d*$')`,
    'ALTER TABLE wallets ADD CHECK (length(label) > 0)',
  ],
  [
    'indexes are named by hand, after their table',
    `SELECT index FROM ${INDEXES} i WHERE NOT starts_with(index, "table" || '_') OR index ~ '_(idx|key)\\d*$'`,
    'CREATE INDEX ON wallets (account_id, label)',
  ],
];

const RULES = [...DISTRIBUTION, ...HISTORY, ...POWERS, ...VACUUM, ...SECRETS, ...NAMES];

describe('the schema', () => {
  let database: TestDatabase;
  let owner: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new Client({ connectionString: database.url });
    await owner.connect();
  });

  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  it('accepts the table that the guide to observers advises: which events were told already', async () => {
    await owner.query(
      `BEGIN; CREATE TABLE ${TEAMS[0]}_told (account_id uuid, event_id uuid, CONSTRAINT ${TEAMS[0]}_told_pkey PRIMARY KEY (account_id, event_id))`,
    );
    for (const [, violations] of RULES) expect((await owner.query(violations)).rows).toEqual([]);
    await owner.query('ROLLBACK');
  });

  it.each([
    ['transactions', 'transactions_type', TRANSACTION_TYPES],
    ['purchases', 'purchases_product', SOLD_PRODUCTS],
    ['beneficiaries', 'beneficiaries_kind', BENEFICIARY_KINDS],
  ])('takes into %s what the words of the code are: a new one needs a migration of %s', async (table, name, words) => {
    const { rows } = await owner.query<{ rule: string }>(
      `SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conrelid = $1::regclass AND conname = $2`,
      [table, name],
    );
    expect(new Set([...rows[0]!.rule.matchAll(/'(\w+)'/g)].map(([, word]) => word))).toEqual(new Set(words));
  });

  describe.each(RULES)('%s', (_, violations, plant) => {
    it('holds', async () => {
      expect((await owner.query(violations)).rows).toEqual([]);
    });

    it('is seen to be broken', async () => {
      await owner.query(`BEGIN; ${plant}`);
      const { rows } = await owner.query(violations);
      await owner.query('ROLLBACK');
      expect(rows).toHaveLength(1);
    });
  });
});
