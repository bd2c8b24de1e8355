import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThan, type Repository } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import { Env } from '../../core/config/env';
import { type Quota, requireRoom } from '../../core/database/quota';
import { rows } from '../../core/database/rows';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError, FieldRefused, found } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { Presents, type Viewer } from '../../core/resources/resources';
import { Seals } from '../../core/secrets/secret-box';
import { Requeries } from '../../providers/requeries';
import { WalletsService } from '../wallets/wallets.service';
import { type CreateReportDto, ReportDto } from './report.dto';
import { Report, type ReportKind, type ReportStatus } from './report.entity';
import { ReportFiles } from './report-files';
import type { DayOrMoment } from './statement.dto';

const MAKING: Quota = { table: 'reports', of: 'reports that are being made', max: 20, where: `status = 'pending'` };
const LINK_MS = 15 * 60_000;
const SEAL_BYTES = 24;

const reportInsert = rows(Report).insert();

/** There is no file: not yet, or not any more. */
class NoReportFile extends DomainError {
  constructor({ id, status }: Report) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('rpt', id)} is ${status}: there is no file.`,
      resourceId: encodeId('rpt', id),
    });
  }
}

/** Too old, or never given out: nobody is told which. */
class ReportLinkGone extends DomainError {
  constructor() {
    super({
      code: 'report_link_gone',
      kind: 'gone',
      title: 'Link is gone',
      detail: 'This link leads to no file: it is older than 15 minutes, the file was removed, or it never was one.',
    });
  }
}

export interface ReportLink {
  readonly report: Report;
  readonly token: string;
  readonly expiresAt: Date;
}

/** What a token says, before its seal. */
type Named = [accountId: string, livemode: boolean, id: string, expiresAt: number];

/** Reports as their owners ask for them and fetch them; `ReportFiles` makes them. */
@Injectable()
export class ReportsService {
  private readonly seals: Seals;

  constructor(
    @InjectRepository(Report) private readonly reports: Repository<Report>,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly requeries: Requeries,
    private readonly clock: Clock,
    private readonly wallets: WalletsService,
    private readonly files: ReportFiles,
    env: Env,
  ) {
    this.seals = new Seals('duka/report-links/v1', env, SEAL_BYTES);
  }

  /** Has a report made. Throws `FieldRefused`, `NotFound`, `LimitExceeded`, `IdempotencyKeyReused`. */
  async create(caller: Caller, wanted: CreateReportDto, request: RequestClaim): Promise<Made<Report>> {
    const { accountId, livemode, requestId } = caller;
    const { from, to, filters } = wanted;
    if (isAfter(from, to)) throw new FieldRefused('/to', '/to must not be before /from.');
    const walletId = filters?.wallet_id ?? null;
    if (walletId !== null) await this.wallets.require(caller, decodeId('wal', walletId), '/filters/wallet_id');
    const id = newIdOf(accountId);
    const at = new Date();
    const report: Report = {
      accountId,
      livemode,
      id,
      kind: wanted.kind,
      format: wanted.format ?? 'csv',
      from: textOf(from),
      to: textOf(to),
      filters: {
        ...(walletId !== null && { walletId: decodeId('wal', walletId)! }),
        ...(filters?.currency && { currency: filters.currency }),
        ...(filters?.type && { type: filters.type }),
      },
      status: 'pending',
      attempt: 0,
      isClosed: null,
      rows: null,
      bytes: null,
      digest: null,
      requestId,
      idempotencyKey: request.key,
      version: 1,
      nextCheckAt: await this.clock.now(caller),
      expiresAt: null,
      updatedAt: at,
      completedAt: null,
    };
    const claim = { accountId, livemode, ...request, reference: null, resource: 'rpt', resourceId: id } as const;
    const replay = await this.idempotency.once(claim, async (tx) => {
      await requireRoom(tx, MAKING, report);
      await this.unitOfWork.write(tx, [reportInsert(report)]);
    });
    if (replay !== null) return { made: await this.require(caller, replay.resourceId), replayedBy: replay.by };
    await this.requeries.setAlarms('reports', report);
    return { made: report, replayedBy: null };
  }

  /** Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<Report> {
    return found(id === null ? null : await this.reports.findOneBy({ accountId, livemode, id }), 'report');
  }

  /** Newest first, below the uuid `before`. */
  list(
    { accountId, livemode }: Viewer,
    { kind, status }: { readonly kind?: readonly ReportKind[]; readonly status?: readonly ReportStatus[] },
    before: string | null,
    take: number,
  ): Promise<Report[]> {
    const where = {
      accountId,
      livemode,
      ...(before !== null && { id: LessThan(before) }),
      ...(kind && { kind: In([...kind]) }),
      ...(status && { status: In([...status]) }),
    };
    return this.reports.find({ where, order: { id: 'DESC' }, take });
  }

  @Presents('rpt', 'transactions:read')
  async present(viewer: Viewer, id: string): Promise<ReportDto> {
    return ReportDto.of(await this.require(viewer, id));
  }

  /** A link to the file, good without a key. Throws `NotFound`, `NoReportFile`. */
  async link(viewer: Viewer, publicId: string): Promise<ReportLink> {
    const report = await this.require(viewer, decodeId('rpt', publicId));
    if (report.status !== 'ready') throw new NoReportFile(report);
    const { accountId, livemode, id } = report;
    const now = await this.clock.now(report);
    const expiresAt = new Date(Math.min(now.getTime() + LINK_MS, report.expiresAt!.getTime()));
    const named = JSON.stringify([accountId, livemode, id, expiresAt.getTime()] satisfies Named);
    return { report, token: tokenOf(named, this.seals.of(named)), expiresAt };
  }

  /** The report behind a link, and its file. Throws `ReportLinkGone`. */
  async open(token: string): Promise<{ readonly report: Report; readonly file: Readable }> {
    const [accountId, livemode, id, expiresAt] = this.namedBy(token);
    const report = await this.reports.findOneBy({ accountId, livemode, id });
    const now = await this.clock.now({ accountId, livemode });
    if (report?.status !== 'ready' || expiresAt <= now.getTime()) throw new ReportLinkGone();
    return { report, file: this.files.read(report) };
  }

  private namedBy(token: string): Named {
    const [named, seal] = token.split('.').map((part) => Buffer.from(part, 'base64url'));
    const isOurs = named !== undefined && seal !== undefined && this.seals.isOf(seal, named);
    // Decoding skips foreign characters: only the exact spelling that was given out counts.
    if (!isOurs || tokenOf(named.toString(), seal) !== token) throw new ReportLinkGone();
    return JSON.parse(named.toString()) as Named;
  }
}

const tokenOf = (named: string, seal: Buffer): string =>
  `${Buffer.from(named).toString('base64url')}.${seal.toString('base64url')}`;

const textOf = (bound: DayOrMoment): string => (bound instanceof Date ? bound.toISOString() : bound);

/** Of two of a kind: a day and a moment are compared once the calendar of each wallet is known. */
const isAfter = (from: DayOrMoment, to: DayOrMoment): boolean => typeof from === typeof to && from > to;
