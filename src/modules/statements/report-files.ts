import { createHash } from 'node:crypto';
import { pipeline as pipeInto, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type Repository } from 'typeorm';
import { Clock, Rewinds } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { asChangedElsewhere, ChangedElsewhere, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { everyRow } from '../../core/http/pages';
import { eventWrite } from '../../core/outbox/outbox';
import { Requeries } from '../../providers/requeries';
import { AccountsService } from '../accounts/accounts.service';
import { type WalletRecord, WalletsService } from '../wallets/wallets.service';
import { ReportDto } from './report.dto';
import { Report } from './report.entity';
import { isReported, type ReportLine, reportText } from './report-rows';
import { DAY, type DayOrMoment } from './statement.dto';
import { StatementsService } from './statements.service';

/** Whoever makes a report says so often that nobody else begins. */
const ALIVE_MS = 10_000;
const LEASE_MS = 60_000;
const ATTEMPTS_MAX = 5;
const KEPT_MS = 7 * 24 * 3_600_000;

const reportChange = rows(Report).update({
  name: 'update_reports',
  change: [
    'status',
    'isClosed',
    'rows',
    'bytes',
    'digest',
    'version',
    'nextCheckAt',
    'expiresAt',
    'updatedAt',
    'completedAt',
  ],
  was: ['status', 'attempt'],
});

const IS_OURS = `account_id = $1 AND livemode = $2 AND id = $3 AND status = 'pending' AND attempt = $4`;
const BEGIN = `UPDATE reports SET attempt = attempt + 1, next_check_at = $5 WHERE ${IS_OURS} RETURNING id`;
const STAY = `UPDATE reports SET next_check_at = $5 WHERE ${IS_OURS} RETURNING id`;
const INSERT_PIECE = `
  INSERT INTO report_pieces (account_id, livemode, report_id, attempt, number, bytes)
  SELECT account_id, livemode, id, attempt, $5, $6 FROM reports WHERE ${IS_OURS} RETURNING number`;
const SELECT_PIECE = `
  SELECT bytes FROM report_pieces
   WHERE account_id = $1 AND livemode = $2 AND report_id = $3 AND attempt = $4 AND number = $5`;
/** But those of one attempt. */
const DELETE_PIECES = `
  DELETE FROM report_pieces WHERE account_id = $1 AND livemode = $2 AND report_id = $3 AND attempt <> $4`;
const NO_ATTEMPT = 0;

/**
 * The files of reports: makes them, reads them, and removes them once they are old. Whoever dies over one
 * leaves pieces that nobody reads; who looks next begins again.
 */
@Injectable()
export class ReportFiles implements OnModuleInit {
  /** Of the compressed file, in a row. */
  pieceBytes = 256 * 1024;
  private readonly log = new Logger('reports');

  constructor(
    @InjectRepository(Report) private readonly reports: Repository<Report>,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly rewinds: Rewinds,
    private readonly requeries: Requeries,
    private readonly accounts: AccountsService,
    private readonly wallets: WalletsService,
    private readonly statements: StatementsService,
  ) {}

  onModuleInit(): void {
    this.rewinds.include({ table: 'reports', columns: ['next_check_at', 'expires_at'] });
    this.requeries.include({ table: 'reports', look: (key, now) => this.look(key, now) });
  }

  private get db(): DataSource['manager'] {
    return this.reports.manager;
  }

  /** The file of a report that is ready. */
  read(report: Report): Readable {
    const file = createGunzip();
    // A fault half-way tears the connection: a cut file cannot be taken for a whole one.
    pipeInto(Readable.from(this.pieces(report)), file, () => undefined);
    return file;
  }

  /** Does what a report is due for. `now`: by the account's clock. */
  async look({ accountId, livemode, id }: Key, now: Date): Promise<void> {
    const report = found(await this.reports.findOneBy({ accountId, livemode, id }), 'report');
    try {
      if (report.status === 'pending') await this.make(report, now);
      else if (report.status === 'ready') await this.remove(report);
    } catch (error) {
      if (!(error instanceof ChangedElsewhere)) throw error;
    }
  }

  private async make(before: Report, now: Date): Promise<void> {
    if (before.attempt >= ATTEMPTS_MAX) {
      this.log.error({ message: 'a report cannot be made', report: before.id });
      return this.step(before, { status: 'failed', nextCheckAt: null, completedAt: new Date() });
    }
    await this.hold(BEGIN, before, now);
    const report = { ...before, attempt: before.attempt + 1 };
    const file = await this.write(report);
    const expiresAt = new Date((await this.clock.now(report)).getTime() + KEPT_MS);
    await this.step(report, { ...file, status: 'ready', nextCheckAt: expiresAt, expiresAt, completedAt: new Date() });
    await this.deletePieces(report, report.attempt);
  }

  /** Reads all lines, and keeps the file as it comes into being. */
  private async write(report: Report): Promise<Pick<Report, 'isClosed' | 'rows' | 'bytes' | 'digest'>> {
    const { timeZone } = await this.accounts.require(report.accountId);
    const file = { isClosed: true, rows: 0, bytes: 0n };
    const hash = createHash('sha256');
    await pipeline(
      reportText(report, this.lines(report, file), timeZone),
      async function* (text: AsyncIterable<string | Buffer>) {
        for await (const chunk of text) {
          const bytes = Buffer.from(chunk);
          hash.update(bytes);
          file.bytes += BigInt(bytes.length);
          yield bytes;
        }
      },
      createGzip(),
      (compressed: AsyncIterable<Buffer>) => this.keep(report, compressed),
    );
    return { ...file, digest: hash.digest() };
  }

  /** Of one wallet after the other, newest first: who makes it again reads them in the same order. */
  private async *lines(report: Report, file: { isClosed: boolean; rows: number }): AsyncGenerator<ReportLine> {
    let heldAt = performance.now();
    const hold = async (): Promise<void> => {
      if (performance.now() < heldAt + ALIVE_MS) return;
      await this.hold(STAY, report, await this.clock.now(report));
      heldAt = performance.now();
    };
    for await (const wallet of this.walletsOf(report)) {
      await hold();
      const asked = { from: boundOf(report.from), to: boundOf(report.to) };
      const statement = await this.statements.of(wallet, asked);
      file.isClosed &&= statement.isClosed;
      for await (const line of statement.lines) {
        await hold();
        const reported = { ...line, walletId: wallet.id, currency: wallet.currency };
        if (!isReported(report, reported)) continue;
        file.rows++;
        yield reported;
      }
    }
  }

  private async *walletsOf({ accountId, livemode, filters }: Report): AsyncGenerator<WalletRecord> {
    const { walletId, currency } = filters;
    if (walletId !== undefined) {
      const wallet = await this.wallets.require({ accountId, livemode }, walletId);
      if (currency === undefined || currency === wallet.currency) yield wallet;
      return;
    }
    yield* everyRow(
      (before: string | null, take) => this.wallets.list({ accountId, livemode }, { currency }, before, take),
      ({ id }) => id,
    );
  }

  private async keep(report: Report, compressed: AsyncIterable<Buffer>): Promise<void> {
    let number = 0;
    let piece: Buffer[] = [];
    let length = 0;
    const flush = async (): Promise<void> => {
      const values = [...ours(report), number++, Buffer.concat(piece)];
      const kept: unknown[] = await this.db.query(INSERT_PIECE, values);
      if (kept.length === 0) throw new ChangedElsewhere();
      [piece, length] = [[], 0];
    };
    for await (const chunk of compressed) {
      piece.push(chunk);
      length += chunk.length;
      if (length >= this.pieceBytes) await flush();
    }
    if (length > 0) await flush();
  }

  private async *pieces(report: Report): AsyncGenerator<Buffer> {
    for (let number = 0; ; number++) {
      const [piece]: { bytes: Buffer }[] = await this.db.query(SELECT_PIECE, [...ours(report), number]);
      if (piece === undefined) return;
      yield piece.bytes;
    }
  }

  private async remove(report: Report): Promise<void> {
    await this.deletePieces(report, NO_ATTEMPT);
    await this.step(report, { status: 'expired', nextCheckAt: null });
  }

  private async deletePieces({ accountId, livemode, id }: Report, except: number): Promise<void> {
    await this.db.query(DELETE_PIECES, [accountId, livemode, id, except]);
  }

  /** Throws `ChangedElsewhere`. */
  private async hold(statement: string, report: Report, now: Date): Promise<void> {
    const [held]: [unknown[]] = await this.db.query(statement, [...ours(report), new Date(now.getTime() + LEASE_MS)]);
    if (held.length === 0) throw new ChangedElsewhere();
  }

  private async step(before: Report, patch: Partial<Report>): Promise<void> {
    const after = { ...before, ...patch, version: before.version + 1, updatedAt: new Date() };
    const writes: Write[] = [reportChange(after, before)];
    if (after.status === 'ready' || after.status === 'failed') writes.push(reportEvent(after));
    try {
      await this.unitOfWork.run((tx) => this.unitOfWork.write(tx, writes));
    } catch (error) {
      throw asChangedElsewhere(error);
    }
  }
}

const ours = ({ accountId, livemode, id, attempt }: Report) => [accountId, livemode, id, attempt];

const boundOf = (text: string): DayOrMoment => (DAY.test(text) ? text : new Date(text));

const reportEvent = (report: Report): Write =>
  eventWrite({
    accountId: report.accountId,
    livemode: report.livemode,
    type: `report.${report.status as 'ready' | 'failed'}`,
    objectType: 'rpt',
    objectId: report.id,
    snapshot: ReportDto.of(report),
    origin: { requestId: report.requestId, idempotencyKey: report.idempotencyKey },
  });
