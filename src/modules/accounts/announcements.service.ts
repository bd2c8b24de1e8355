import { Injectable } from '@nestjs/common';
import { DataSource, Raw } from 'typeorm';
import { ControlCell } from '../../core/cells/control-cell';
import { isFenced } from '../../core/cells/slot-moves';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { lowestIdAt, newId } from '../../core/http/ids';
import { eventWrite, type NewEvent, NO_ORIGIN } from '../../core/outbox/outbox';
import { Recurring } from '../../core/queue/recurring-jobs';
import { Account } from './account.entity';

/** What concerns everybody, and whom no request made happen. */
export type Announcement = Pick<NewEvent, 'type' | 'objectType' | 'objectId'> & { readonly snapshot: object };

const EVERY_MS = 15_000;
const HEARD_AT_ONCE = 100;
/** Longer than a cell is away. */
const KEPT_MS = 90 * 24 * 3_600_000;

const ANNOUNCE = 'INSERT INTO announcements (id, news) VALUES ($1, $2)';
const UNHEARD = `
  SELECT id, news FROM announcements a WHERE NOT EXISTS (SELECT 1 FROM heard_announcements h WHERE h.id = a.id)
   ORDER BY id LIMIT ${HEARD_AT_ONCE}`;
/** Of two who hear it at once one finds nothing. */
const HEAR = 'INSERT INTO heard_announcements (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1';
const FORGET = 'DELETE FROM announcements WHERE id < $1';
/** Once the copy of what was heard is gone. */
const FORGET_HEARD = `
  DELETE FROM heard_announcements h
   WHERE id < $1 AND NOT EXISTS (SELECT 1 FROM announcements a WHERE a.id = h.id)`;

/** Tells every account what concerns all of them, but for those that are just moving to another cell. */
@Injectable()
export class Announcements {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly control: ControlCell,
  ) {}

  /** An event for each account, in the modes that are open to it, in the transaction of the change. */
  async announce(tx: Tx, news: Announcement): Promise<void> {
    this.control.requireHere();
    if (this.control.hasOthers) await tx.query(ANNOUNCE, [newId(), JSON.stringify(news)]);
    await this.tell(tx, news);
  }

  /** What the control cell has announced is told here, too. */
  @Recurring({ name: 'announcements.hear', everyMs: EVERY_MS })
  async hear(): Promise<void> {
    if (!this.control.hasOthers) return;
    const old = [lowestIdAt(new Date(Date.now() - KEPT_MS))];
    if (this.control.isHere) return void (await this.dataSource.query(FORGET, old));
    await this.dataSource.query(FORGET_HEARD, old);
    const unheard: { id: string; news: Announcement }[] = await this.dataSource.query(UNHEARD);
    for (const { id, news } of unheard)
      await this.unitOfWork.run(async (tx) => {
        const heard: unknown[] = await tx.query(HEAR, [id]);
        if (heard.length > 0) await this.tell(tx, news);
      });
  }

  private async tell(tx: Tx, news: Announcement): Promise<void> {
    // An account that is just moving is told nothing: one that does not get further would stop all others.
    const accounts = await tx.find(Account, { where: { id: Raw((id) => `NOT ${isFenced(id)}`) } });
    const readers = accounts.flatMap(({ id, liveEnabled }) =>
      (liveEnabled ? [false, true] : [false]).map((livemode) => ({ accountId: id, livemode })),
    );
    await this.unitOfWork.write(
      tx,
      readers.map((reader) => eventWrite({ ...news, ...reader, origin: NO_ORIGIN })),
    );
  }
}
