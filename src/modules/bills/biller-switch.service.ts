import { Injectable } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/not-found';
import { newId } from '../../core/http/ids';
import { AnnouncementsService } from '../accounts/announcements.service';
import { Biller } from './biller.entity';

/** Whether a biller can be paid, as operators decide. */
@Injectable()
export class BillerSwitchService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly announcements: AnnouncementsService,
  ) {}

  /** Tells every account when it changes something, and writes the given rows then. Throws `NotFound`. */
  setEnabled(
    code: string,
    enabled: boolean,
    writes: readonly Write[] = [],
  ): Promise<{ readonly biller: Readonly<Biller>; readonly isChanged: boolean }> {
    return this.unitOfWork.run(async (tx) => {
      const biller = found(
        await tx.findOne(Biller, { where: { code }, lock: { mode: 'pessimistic_write' } }),
        'biller',
      );
      if (biller.enabled === enabled) return { biller, isChanged: false };
      await tx.update(Biller, { code }, { enabled });
      await this.unitOfWork.write(tx, writes);
      await this.tell(tx, { ...biller, enabled });
      return { biller: { ...biller, enabled }, isChanged: true };
    });
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
