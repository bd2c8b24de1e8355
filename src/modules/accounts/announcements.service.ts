import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { eventWrite, type NewEvent } from '../../core/outbox/outbox';
import { AccountsService } from './accounts.service';

/** What concerns everybody, and whom no request made happen. */
export type Announcement = Pick<NewEvent, 'type' | 'objectType' | 'objectId'> & { readonly snapshot: object };

/** Tells every account of a change of the platform. */
@Injectable()
export class AnnouncementsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** An event for each account, in the modes that are open to it, in the transaction of the change. */
  async announce(tx: Tx, news: Announcement): Promise<void> {
    const origin = { requestId: null, idempotencyKey: null };
    const accounts = await this.accounts.listAll(tx);
    const readers = accounts.flatMap(({ id, liveEnabled }) =>
      (liveEnabled ? [false, true] : [false]).map((livemode) => ({ accountId: id, livemode })),
    );
    await this.unitOfWork.write(
      tx,
      readers.map((reader) => eventWrite({ ...news, ...reader, origin })),
    );
  }
}
