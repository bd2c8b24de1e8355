import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work';

/** Keeps the numbers of events growing when the database moves to another server, or goes back in time. */
@Injectable()
export class EventEpochs implements OnModuleInit {
  private readonly log = new Logger('events');

  constructor(private readonly uow: UnitOfWork) {}

  /** Before this process writes its first event. */
  async onModuleInit(): Promise<void> {
    await this.renew();
  }

  /** Begins an epoch unless that of this server runs. */
  async renew(): Promise<void> {
    const [{ began }] = await this.uow.run((tx): Promise<[{ began: boolean }]> =>
      tx.query('SELECT begin_event_epoch() AS began'),
    );
    if (began) this.log.log('a new epoch of events begins: the database is on another server, or was restored');
  }
}
