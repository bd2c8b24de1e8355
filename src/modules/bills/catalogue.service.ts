import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { found } from '../../core/errors/not-found';
import type { Position } from '../../core/http/pages';
import { BillCategory } from './bill-category.entity';
import { Biller } from './biller.entity';
import { BillerItem } from './biller-item.entity';

export interface BillerFilters {
  readonly category?: string;
  readonly country?: string;
}

/** What can be paid for: the tables that operators edit. */
@Injectable()
export class CatalogueService {
  constructor(
    @InjectRepository(BillCategory) private readonly categories: Repository<BillCategory>,
    @InjectRepository(Biller) private readonly billers: Repository<Biller>,
    @InjectRepository(BillerItem) private readonly items: Repository<BillerItem>,
  ) {}

  listCategories(): Promise<BillCategory[]> {
    return this.categories.find({ order: { position: 'ASC', code: 'ASC' } });
  }

  /** By code, behind the code `after`. */
  listBillers({ category, country }: BillerFilters, after: string | null, take: number): Promise<Biller[]> {
    const where = {
      ...(category && { category }),
      ...(country && { country }),
      ...(after && { code: MoreThan(after) }),
    };
    return this.billers.find({ where, order: { code: 'ASC' }, take });
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
}
