import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type Repository } from 'typeorm';
import { found } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { decodeId, encodeId, lowestIdAt, timeOf } from '../../core/http/ids';
import { Presents, type Viewer } from '../../core/resources/resources';
import { Reviews } from '../../providers/reviews';
import type { IdPrefix } from '../../vocabulary/id-prefixes';
import { type Happening, TimelineService, type TimelineSource } from '../transactions/timeline.service';
import { DepositDto, type DepositFilters } from './deposit.dto';
import { Deposit } from './deposit.entity';
import { VirtualAccountDto } from './virtual-account.dto';
import { VirtualAccountsService } from './virtual-accounts.service';

interface Row {
  readonly id: string;
  readonly provider: string;
  readonly call: keyof typeof KINDS;
  readonly outcome: string;
  readonly code: string | null;
}

const KINDS = { callback: 'provider.callback', list: 'provider.callback', find: 'provider.requery' } as const;

const SELECT_ANSWERS = `
  SELECT id, provider, call, outcome, code FROM deposit_checks
   WHERE account_id = $1 AND livemode = $2 AND deposit_id = $3`;

/** Reads deposits for those whose they are, and tells the timeline of a credit how it came about. */
@Injectable()
export class DepositReads implements TimelineSource, OnModuleInit {
  constructor(
    @InjectRepository(Deposit) private readonly deposits: Repository<Deposit>,
    private readonly accounts: VirtualAccountsService,
    private readonly dataSource: DataSource,
    private readonly timelines: TimelineService,
    private readonly reviews: Reviews,
  ) {}

  onModuleInit(): void {
    this.timelines.include(this);
  }

  /** By public id. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, publicId: string): Promise<Deposit> {
    const id = decodeId('dep', publicId);
    return found(id === null ? null : await this.deposits.findOneBy({ accountId, livemode, id }), 'deposit');
  }

  /** By the uuid of what the provider calls so; null when nobody told of it. */
  findBy({ accountId, livemode }: Viewer, provider: string, providerReference: string): Promise<Deposit | null> {
    return this.deposits.findOneBy({ accountId, livemode, provider, providerReference });
  }

  /** Newest first, below the uuid `before`. */
  async list(
    { accountId, livemode }: Viewer,
    filters: DepositFilters,
    before: string | null,
    take: number,
  ): Promise<Deposit[]> {
    const query = this.deposits
      .createQueryBuilder('d')
      .where('d.account_id = :accountId AND d.livemode = :livemode', { accountId, livemode })
      .orderBy('d.id', 'DESC')
      .take(take);
    if (before) query.andWhere('d.id < :before', { before });
    if (filters.status !== undefined) query.andWhere('d.status IN (:...status)', { status: filters.status });
    if (filters.needs_review !== undefined) query.andWhere(`d.review IS ${filters.needs_review ? 'NOT ' : ''}NULL`);
    if (filters.created_gte) query.andWhere('d.id >= :from', { from: lowestIdAt(filters.created_gte) });
    if (filters.created_lt) query.andWhere('d.id < :to', { to: lowestIdAt(filters.created_lt) });
    if (filters.virtual_account_id === undefined) return query.getMany();
    const id = decodeId('vac', filters.virtual_account_id);
    return id === null ? [] : query.andWhere('d.virtual_account_id = :id', { id }).getMany();
  }

  @Presents('vac', 'virtual_accounts:read')
  async virtualAccount(viewer: Viewer, id: string): Promise<VirtualAccountDto> {
    return VirtualAccountDto.of(await this.accounts.require(viewer, encodeId('vac', id)));
  }

  @Presents('dep', 'virtual_accounts:read')
  async deposit(viewer: Viewer, id: string): Promise<DepositDto> {
    return DepositDto.of(await this.require(viewer, encodeId('dep', id)));
  }

  async of({ accountId, livemode, id: transactionId }: Key): Promise<Happening[]> {
    const deposit = await this.deposits.findOneBy({ accountId, livemode, transactionId });
    return deposit === null ? [] : this.ofThing('dep', deposit);
  }

  /** What its provider told and was asked, and what people decided. */
  async ofThing(prefix: IdPrefix, { accountId, livemode, id }: Key): Promise<Happening[]> {
    if (prefix !== 'dep') return [];
    const [rows, decisions] = await Promise.all([
      this.dataSource.query<Row[]>(SELECT_ANSWERS, [accountId, livemode, id]),
      this.reviews.told({ accountId, livemode, resource: 'dep', id }),
    ]);
    return [
      ...rows.map(({ id: rowId, provider, call, outcome, code }): Happening => ({
        at: timeOf(rowId),
        kind: KINDS[call],
        data: { provider, outcome, code },
      })),
      ...decisions,
    ];
  }
}
