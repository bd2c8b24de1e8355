import type { INestApplicationContext } from '@nestjs/common';
import type { Client } from 'pg';
import { v5 } from 'uuid';
import { CannotStart } from '../core/errors/cannot-start';
import { CURRENCIES, type Currency } from '../core/money/money';
import { LedgerAccountsService, type PlatformAccountName } from '../modules/ledger/accounts.service';
import { LedgerService } from '../modules/ledger/ledger.service';
import { type Line, PLATFORM_ACCOUNT_ID, type Refusal } from '../modules/ledger/posting';

export type Side = 'source' | 'target';

/** What a ledger account of the slots stands at, or their part of one of the platform's. Minor units. */
interface Balance {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly currency: Currency;
  /** Null: a wallet's or a card's own. */
  readonly platform: PlatformAccountName | null;
  /** Null: of what several accounts share. */
  readonly id: string | null;
  readonly available: bigint;
  readonly held: bigint;
}

/** Of accounts `$1`; what is one account's alone among the platform's bears its id. */
const BALANCES = `
  SELECT CASE account_id WHEN '${PLATFORM_ACCOUNT_ID}' THEN right(name, 36)::uuid ELSE account_id END AS "accountId",
         livemode, currency, CASE account_id WHEN '${PLATFORM_ACCOUNT_ID}' THEN name END AS platform, id,
         available, held
    FROM ledger_accounts
   WHERE (account_id = ANY ($1) OR (account_id = '${PLATFORM_ACCOUNT_ID}' AND right(name, 36) = ANY ($1::text[])))
     AND (available <> 0 OR held <> 0)
  UNION ALL
  SELECT '${PLATFORM_ACCOUNT_ID}', livemode, currency, 'deposits:' || provider, NULL,
         -sum(amount - coalesce(provider_fee, 0)), 0
    FROM deposits WHERE account_id = ANY ($1) AND status = 'credited' GROUP BY livemode, currency, provider`;

/** What stands in `in_transit` for the transfers of accounts `$1` to and from other cells. */
const TRANSFERRED = `
  SELECT currency, livemode, sum(amount) AS amount FROM (
    SELECT x.currency, x.livemode, x.amount FROM transfers x JOIN cell_transfers USING (account_id, livemode, id)
     WHERE x.account_id = ANY ($1) AND x.status = 'successful'
    UNION ALL
    SELECT currency, livemode, -amount FROM cell_credits WHERE account_id = ANY ($1) AND refusal IS NULL
  ) s GROUP BY currency, livemode`;

/** Ledger accounts that the postings `$1` of a move have reached already. */
const REACHED = `
  SELECT DISTINCT e.ledger_account_id AS id FROM ledger_entries e
   WHERE e.posting_id = ANY ($1) AND e.created_at >= $2::timestamptz - interval '1 minute'`;

/** Lets the books of both cells follow a move. All of it may be called again. */
export class SlotBooks {
  constructor(
    private readonly clients: Readonly<Record<Side, Client>>,
    /** Modules on both databases. */
    private readonly apps: ReadonlyMap<Side, INestApplicationContext>,
    private readonly move: { readonly id: string; readonly since: Date },
  ) {}

  /** How far `in_transit` is from the transfers of each cell once the books have followed. */
  async note(accounts: readonly string[]): Promise<void> {
    const { source, target } = this.clients;
    const balances = (await source.query<BalanceRow>(BALANCES, [accounts])).rows.map(toBalance);
    const { rows } = await source.query<SumRow>(TRANSFERRED, [accounts]);
    const transferred = rows.map((row) => ({ ...row, available: BigInt(row.amount), held: 0n }));
    const platforms = balances.filter(({ platform }) => platform !== null);
    await this.insert(source, [...transferred, ...balances]);
    await this.insert(target, [...transferred, ...platforms]);
  }

  private async insert(
    client: Client,
    parts: readonly Omit<Balance, 'accountId' | 'platform' | 'id'>[],
  ): Promise<void> {
    const sums = new Map<string, bigint>();
    for (const { currency, livemode, available, held } of parts) {
      const of = `${currency}/${livemode}`;
      sums.set(of, (sums.get(of) ?? 0n) + available + held);
    }
    await client.query(
      `INSERT INTO slot_move_sums (move_id, currency, livemode, amount)
       SELECT $1, split_part(v.of, '/', 1), split_part(v.of, '/', 2)::boolean, v.amount
         FROM unnest($2::text[], $3::bigint[]) AS v (of, amount)
       ON CONFLICT ON CONSTRAINT slot_move_sums_pkey DO NOTHING`,
      [this.move.id, [...sums.keys()], [...sums.values()].map(String)],
    );
  }

  /**
   * What was theirs leaves the books of the source by `in_transit`. Their own ledger accounts have arrived with all
   * entries; what the platform has for them comes into the books of the target by `in_transit`.
   */
  async bookOver(accounts: readonly string[]): Promise<void> {
    const { rows } = await this.clients.source.query<BalanceRow>(BALANCES, [accounts]);
    const balances = rows.map(toBalance);
    await this.post(
      'target',
      balances.filter(({ platform }) => platform !== null),
      1n,
    );
    await this.post('source', balances, -1n);
  }

  /** One posting for each ledger account, against `in_transit`: `sign` -1 takes balances away, 1 brings them. */
  private async post(side: Side, balances: readonly Balance[], sign: 1n | -1n): Promise<void> {
    const app = this.apps.get(side)!;
    const [ledger, platform] = [app.get(LedgerService), app.get(LedgerAccountsService)];
    const reached = await this.clients[side].query<{ id: string }>(REACHED, [this.postingIds(), this.move.since]);
    const done = new Set(reached.rows.map(({ id }) => id));
    const outcomes = balances.map(async ({ id, platform: name, available, held, ...of }) => {
      const own = name === null ? id! : await platform.platform(name, of.currency, of);
      if (done.has(own)) return;
      const inTransit = await platform.platform('in_transit', of.currency, of);
      const line = (ledgerAccountId: string, bucket: Line['bucket'], amount: bigint): Line[] =>
        amount === 0n ? [] : [{ ledgerAccountId, bucket, amount, transactionId: null, passesFreezes: true }];
      const outcome = await ledger.post({
        id: this.postingId(of),
        ...of,
        lines: [
          ...line(own, 'available', sign * available),
          ...line(own, 'held', sign * held),
          ...line(inTransit, 'available', -sign * (available + held)),
        ],
        claim: null,
      });
      if (outcome.status === 'refused') throw new CannotStart(refusalOf(own, outcome.refusal));
    });
    await Promise.all(outcomes);
  }

  /** Of all that the move posts in a currency and mode, in both cells. */
  private postingId({ currency, livemode }: Pick<Balance, 'currency' | 'livemode'>): string {
    return v5(`${currency}/${livemode}`, this.move.id);
  }

  private postingIds(): string[] {
    return CURRENCIES.flatMap((currency) => [true, false].map((livemode) => this.postingId({ currency, livemode })));
  }
}

interface SumRow {
  readonly currency: Currency;
  readonly livemode: boolean;
  readonly amount: string;
}

type BalanceRow = { readonly [Key in keyof Balance]: Balance[Key] extends bigint ? string : Balance[Key] };

const toBalance = (row: BalanceRow): Balance => ({ ...row, available: BigInt(row.available), held: BigInt(row.held) });

const refusalOf = (id: string, { reason }: Refusal): string =>
  `The ledger account ${id} could not be moved: ${reason}.`;
