import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { bulkInsert, type Write } from '../../core/database/bulk';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError } from '../../core/errors/domain-error';
import { encodeId, newId } from '../../core/http/ids';
import type { Currency } from '../../core/money/money';
import { type Float, Floats } from '../../providers/floats';
import { Statements } from '../../providers/statements';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import { PLATFORM_ACCOUNT_ID } from '../ledger/posting';

/** Money that went to a provider, or came back from it, by other ways than sales. */
export interface FloatMovement {
  readonly provider: string;
  readonly currency: Currency;
  /** Minor units; negative: it came back. */
  readonly amount: bigint;
  /** Names it: booked once, however often it is ordered. */
  readonly reference: string;
  readonly person: string;
  readonly reason: string;
}

/** A line of a provider's statement. */
export interface StatementLine {
  /** Ours, as the provider was given it, or theirs; of a top-up, its reference. */
  readonly reference: string;
  /** Minor units that our money there went down by; negative: up. */
  readonly amount: bigint;
}

export const DIFFERENCE_KINDS = ['not_in_books', 'not_in_statement', 'amount'] as const;

/** What a provider's statement says of a reference, and what the books do. Minor units. */
export interface Difference {
  readonly provider: string;
  readonly currency: Currency;
  readonly kind: (typeof DIFFERENCE_KINDS)[number];
  readonly reference: string;
  /** The transaction (`txn_…`), where there is one. */
  readonly transaction: string | null;
  readonly ours: bigint;
  readonly theirs: bigint;
}

/** The platform trades with itself. */
const OURS = { accountId: PLATFORM_ACCOUNT_ID, livemode: true } as const;

interface BookedRow {
  readonly name: string;
  readonly providerReference: string | null;
  readonly purchaseId: string | null;
  readonly amount: string;
}

const insertMovement = bulkInsert('float_movements', {
  id: 'uuid',
  provider: 'text',
  currency: 'text',
  livemode: 'boolean',
  amount: 'bigint',
  reference: 'text',
  person: 'text',
  reason: 'text',
});

const FIND_MOVEMENT = `
  SELECT amount, currency FROM float_movements WHERE provider = $1 AND livemode AND reference = $2`;

/** What went to a provider between two moments: deliveries that stayed, and other movements. */
const BOOKED = `
  SELECT a.id::text AS name, a.provider_reference AS "providerReference", a.purchase_id AS "purchaseId",
         CASE t.status WHEN 'successful' THEN coalesce(a.cost, (p.conversion ->> 'amount')::bigint, t.amount)
           ELSE 0 END AS amount
    FROM purchase_attempts a JOIN purchases p ON p.account_id = a.account_id AND p.livemode AND p.id = a.purchase_id
    JOIN transactions t ON t.account_id = a.account_id AND t.livemode AND t.id = a.purchase_id
   WHERE a.livemode AND a.provider = $1 AND a.id >= uuid_v7_floor($3) AND a.id < uuid_v7_floor($4)
     AND a.outcome = 'delivered' AND coalesce(a.cost_currency, p.conversion ->> 'currency', t.currency) = $2
  UNION ALL
  SELECT reference, NULL, NULL, -amount FROM float_movements
   WHERE livemode AND provider = $1 AND currency = $2 AND id >= uuid_v7_floor($3) AND id < uuid_v7_floor($4)`;

const OPEN_DIFFERENCES = `
  INSERT INTO provider_differences (id, provider, currency, kind, reference, transaction, ours, theirs)
  SELECT gen_random_uuid(), * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
                                          $6::bigint[], $7::bigint[])
  ON CONFLICT ON CONSTRAINT provider_differences_once
  DO UPDATE SET ours = excluded.ours, theirs = excluded.theirs WHERE provider_differences.resolved_at IS NULL`;
const LIST_DIFFERENCES = `
  SELECT id, provider, currency, kind, reference, transaction, ours, theirs, found_at AS "foundAt"
    FROM provider_differences WHERE resolved_at IS NULL AND ($1::text IS NULL OR provider = $1) ORDER BY found_at, id`;
const RESOLVE = `
  UPDATE provider_differences SET resolved_at = now(), person = $2, reason = $3
   WHERE id = $1 AND resolved_at IS NULL RETURNING provider, reference`;

/** Our money at a provider, as it told it and by the books. Minor units. */
export interface BookedFloat extends Float {
  readonly inBooks: bigint;
}

/** A difference that a person must explain. */
export interface OpenDifference extends Difference {
  readonly id: string;
  readonly foundAt: Date;
}

/** A movement of this reference was booked with another amount. */
class MovementDiffers extends DomainError {
  constructor({ reference }: FloatMovement) {
    super({
      code: 'duplicate_reference',
      kind: 'conflict',
      title: 'Duplicate reference',
      detail: `A movement "${reference}" of this provider was booked before, with another amount or currency.`,
      param: '/reference',
    });
  }
}

/** Our money at live providers, in the books: what went there, and how that compares with what they say. */
@Injectable()
export class FloatBookings implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly floats: Floats,
    private readonly statements: Statements,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.statements.include(async ({ company, currency, from, to }) => {
      const booked: BookedRow[] = await this.dataSource.query(BOOKED, [company, currency, from, to]);
      return booked.map(({ name, providerReference, purchaseId, amount }) => ({
        names: providerReference === null ? [name] : [name, providerReference],
        transaction: purchaseId && encodeId('txn', purchaseId),
        amount: BigInt(amount),
      }));
    });
  }

  /**
   * What the books say is ours at a live company: what went there, what it collected for payments and by virtual
   * accounts, and less what it paid to merchants for cards. Minor units.
   */
  async inBooks(provider: string, currency: Currency): Promise<bigint> {
    const kinds = ['provider_float', 'gateway', 'deposits', 'card_issuer'] as const;
    const names = kinds.map((kind) => `${kind}:${provider}` as const);
    const balances = await Promise.all(names.map((name) => this.accounts.platformBalance(name, currency, true)));
    return -balances.reduce((sum, balance) => sum + balance, 0n);
  }

  /** Each float that a provider told of, or has a floor, with what the books say. */
  async list(): Promise<BookedFloat[]> {
    const floats = await this.floats.list();
    return Promise.all(
      floats.map(async (float) => ({ ...float, inBooks: await this.inBooks(float.provider, float.currency) })),
    );
  }

  /**
   * Books money that went to a provider from our bank, or came back. False: it was booked before. Throws
   * `MovementDiffers`, `LedgerUnavailable`.
   */
  async move(movement: FloatMovement): Promise<boolean> {
    if (await this.isBooked(movement)) return false;
    const { provider, currency, amount } = movement;
    const id = newId();
    const [float, treasury] = await Promise.all([
      this.accounts.platform(`provider_float:${provider}`, currency, OURS),
      this.accounts.platform('treasury', currency, OURS),
    ]);
    const line = (ledgerAccountId: string, of: bigint) =>
      ({ ledgerAccountId, bucket: 'available', amount: of, transactionId: null }) as const;
    try {
      await this.ledger.require(
        {
          id,
          ...OURS,
          lines: [line(float, -amount), line(treasury, amount)],
          claim: null,
          writes: () => [insertMovement.row({ id, livemode: true, ...movement })],
        },
        (account) => ({ id: account, param: '/provider' }),
      );
    } catch (error) {
      // Of two who order it at once the second fails on its row.
      if (await this.isBooked(movement)) return false;
      throw error;
    }
    return true;
  }

  /**
   * Compares a statement with the books, reference by reference, and opens a difference for each that does not agree.
   * Lines of one reference are summed: a sale and its refund are nothing.
   */
  async reconcile(
    provider: string,
    currency: Currency,
    period: { readonly from: Date; readonly to: Date; readonly lines: readonly StatementLine[] },
  ): Promise<{ readonly agreed: number; readonly differences: readonly Difference[] }> {
    const { from, to, lines } = period;
    const booked = await this.statements.list({ company: provider, currency, from, to });
    const theirs = sumsOf(lines);
    const differences: Difference[] = [];
    for (const { names, transaction, amount: ours } of booked) {
      const named = names.filter((name) => theirs.has(name));
      const said = named.reduce((sum, name) => sum + theirs.get(name)!, 0n);
      for (const name of named) theirs.delete(name);
      if (said === ours) continue;
      const kind = named.length === 0 ? 'not_in_statement' : 'amount';
      differences.push({ provider, currency, kind, reference: names[0], transaction, ours, theirs: said });
    }
    for (const [reference, said] of theirs)
      if (said !== 0n)
        differences.push({
          provider,
          currency,
          kind: 'not_in_books',
          reference,
          transaction: null,
          ours: 0n,
          theirs: said,
        });
    await this.open(differences);
    return { agreed: booked.length - differences.filter(({ kind }) => kind !== 'not_in_books').length, differences };
  }

  /** Differences that nobody has explained. Of one provider, or all. */
  async listDifferences(provider: string | null): Promise<OpenDifference[]> {
    const rows: (Omit<OpenDifference, 'ours' | 'theirs'> & { ours: string; theirs: string })[] =
      await this.dataSource.query(LIST_DIFFERENCES, [provider]);
    return rows.map((row) => ({ ...row, ours: BigInt(row.ours), theirs: BigInt(row.theirs) }));
  }

  /**
   * Somebody explains it; `writes` tells what is written with that. False: there is no such difference, or it was
   * explained before.
   */
  async resolve(
    id: string,
    person: string,
    reason: string,
    writes: () => readonly Write[] = () => [],
  ): Promise<boolean> {
    if (!isUuid(id)) return false;
    return this.unitOfWork.run(async (tx) => {
      const [rows]: [unknown[]] = await tx.query(RESOLVE, [id, person, reason]);
      if (rows.length > 0) await this.unitOfWork.write(tx, writes());
      return rows.length > 0;
    });
  }

  private async isBooked(movement: FloatMovement): Promise<boolean> {
    const [found]: { amount: string; currency: string }[] = await this.dataSource.query(FIND_MOVEMENT, [
      movement.provider,
      movement.reference,
    ]);
    if (found && (BigInt(found.amount) !== movement.amount || found.currency !== movement.currency))
      throw new MovementDiffers(movement);
    return found !== undefined;
  }

  private async open(differences: readonly Difference[]): Promise<void> {
    if (differences.length === 0) return;
    const column = <Key extends keyof Difference>(key: Key) => differences.map((one) => one[key]);
    await this.dataSource.query(OPEN_DIFFERENCES, [
      column('provider'),
      column('currency'),
      column('kind'),
      column('reference'),
      column('transaction'),
      column('ours').map(String),
      column('theirs').map(String),
    ]);
  }
}

function sumsOf(lines: readonly StatementLine[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { reference, amount } of lines) sums.set(reference, (sums.get(reference) ?? 0n) + amount);
  return sums;
}
