import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { ControlCell } from '../../core/cells/control-cell';
import type { Write } from '../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { newId } from '../../core/http/ids';
import type { Position } from '../../core/http/pages';
import type { Viewer } from '../../core/resources/resources';
import { Announcements } from '../accounts/announcements.service';
import { FeesService } from '../accounts/fees.service';
import { Routes } from '../../providers/routes';
import { BillCategory, Biller, BillerItem } from './biller.entity';

export interface BillerFilters {
  readonly category?: string;
  readonly country?: string;
}

/** A biller as it is offered to somebody. */
export interface OfferedBiller extends Biller {
  /** Flat part of what the account pays on top, in minor units. */
  readonly fee: bigint;
  /** It is sold, and somebody who reaches it can be asked now. */
  readonly available: boolean;
}

/** What can be paid for: the tables that operators edit. */
@Injectable()
export class CatalogueService {
  constructor(
    @InjectRepository(BillCategory) private readonly categories: Repository<BillCategory>,
    @InjectRepository(Biller) private readonly billers: Repository<Biller>,
    @InjectRepository(BillerItem) private readonly items: Repository<BillerItem>,
    private readonly fees: FeesService,
    private readonly routes: Routes,
    private readonly unitOfWork: UnitOfWork,
    private readonly announcements: Announcements,
    private readonly control: ControlCell,
  ) {}

  listCategories(): Promise<BillCategory[]> {
    return this.categories.find({ order: { position: 'ASC', code: 'ASC' } });
  }

  /** Throws `NotFound`. */
  async requireBiller(code: string, param: string | null = null): Promise<Biller> {
    // PostgreSQL refuses to look for text that it cannot hold.
    return found(code.includes('\0') ? null : await this.billers.findOneBy({ code }), 'biller', param);
  }

  /** What a biller sells, in the order of its list, behind a position and a code. */
  listItems({ code: billerCode }: Biller, after: Position | null = null, take?: number): Promise<BillerItem[]> {
    const query = this.items
      .createQueryBuilder('i')
      .where({ billerCode })
      .orderBy('i.position')
      .addOrderBy('i.code')
      .take(take);
    if (after) query.andWhere('(i.position, i.code) > (:position, :code)', { position: after[0], code: after[1] });
    return query.getMany();
  }

  /** Billers as they are offered to somebody: by code, behind the code `after`. */
  async listOffers(
    viewer: Viewer,
    filters: BillerFilters,
    after: string | null,
    take: number,
  ): Promise<OfferedBiller[]> {
    const billers = await this.listBillers(filters, after, take);
    return Promise.all(billers.map((biller) => this.offer(viewer, biller)));
  }

  /** What it costs, and whether somebody sells it now. */
  async offer(viewer: Viewer, biller: Biller): Promise<OfferedBiller> {
    const { code, currency, enabled } = biller;
    const [fee, canBeAsked] = await Promise.all([
      this.fees.listed({ product: 'bills', currency, accountId: viewer.accountId }, 0n),
      this.routes.isAvailable({ ...viewer, product: 'bills', network: code }),
    ]);
    return { ...biller, fee, available: enabled && canBeAsked };
  }

  /** Tells every account when it changes something, and writes the given rows then. Throws `NotFound`. */
  async setEnabled(
    code: string,
    enabled: boolean,
    writes: () => readonly Write[] = () => [],
  ): Promise<{ readonly biller: Readonly<Biller>; readonly isChanged: boolean }> {
    this.control.requireHere();
    return this.unitOfWork.run(async (tx) => {
      const biller = found(
        await tx.findOne(Biller, { where: { code }, lock: { mode: 'pessimistic_write' } }),
        'biller',
      );
      if (biller.enabled === enabled) return { biller, isChanged: false };
      await tx.update(Biller, { code }, { enabled });
      await this.unitOfWork.write(tx, writes());
      await this.tell(tx, { ...biller, enabled });
      return { biller: { ...biller, enabled }, isChanged: true };
    });
  }

  private listBillers({ category, country }: BillerFilters, after: string | null, take: number): Promise<Biller[]> {
    const where = {
      ...(category && { category }),
      ...(country && { country }),
      ...(after && { code: MoreThan(after) }),
    };
    return this.billers.find({ where, order: { code: 'ASC' }, take });
  }

  private tell(tx: Tx, { code, name, enabled }: Biller): Promise<void> {
    const snapshot = { biller_code: code, name, enabled };
    return this.announcements.announce(tx, {
      type: 'biller.status_changed',
      objectType: 'bst',
      objectId: newId(),
      snapshot,
    });
  }
}
