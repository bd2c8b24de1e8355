import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { integer, type Of, Settings } from '../../../src/core/config/settings';
import { bulkInsert } from '../../../src/core/database/bulk';
import { requireRoom } from '../../../src/core/database/quota';
import { UnitOfWork } from '../../../src/core/database/unit-of-work';
import { found } from '../../../src/core/errors/domain-error';
import type { Caller } from '../../../src/core/http/caller';
import { HIGHEST_ID, newIdOf } from '../../../src/core/http/ids';
import type { ReplayedBy, RequestClaim } from '../../../src/core/idempotency/claim';
import { Idempotency } from '../../../src/core/idempotency/idempotency';
import { eventWrite } from '../../../src/core/outbox/outbox';
import { Presents, type Viewer } from '../../../src/core/resources/resources';
import { type Parcel, ParcelDto } from './parcels.dto';

const SETTINGS = Settings.of('acme', {
  parcelsMax: integer({ default: '1000', about: 'Parcels of an account in each mode.' }),
});

const insertParcel = bulkInsert('acme_parcels', { account_id: 'uuid', livemode: 'boolean', id: 'uuid', label: 'text' });

const SELECT = 'SELECT id, livemode, label FROM acme_parcels WHERE account_id = $1 AND livemode = $2';

@Injectable()
export class ParcelsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    @Inject(SETTINGS) private readonly settings: Of<typeof SETTINGS>,
  ) {}

  /** The parcel, its key and its event in one transaction. Throws `LimitExceeded`, `IdempotencyKeyReused`. */
  async create(
    caller: Caller,
    label: string,
    request: RequestClaim,
  ): Promise<{ made: Parcel; replayedBy: ReplayedBy | null }> {
    const { accountId, livemode, requestId } = caller;
    const id = newIdOf(accountId);
    const origin = { requestId, idempotencyKey: request.key };
    const claim = { accountId, livemode, ...request, reference: null, resource: 'pcl', resourceId: id } as const;
    const replay = await this.idempotency.once(claim, async (tx) => {
      await requireRoom(tx, { table: 'acme_parcels', of: 'parcels', max: this.settings.parcelsMax }, caller);
      await this.unitOfWork.write(tx, [
        insertParcel.row({ account_id: accountId, livemode, id, label }),
        eventWrite({ accountId, livemode, type: 'parcel.created', objectType: 'pcl', objectId: id, origin }),
      ]);
    });
    const made = replay ? await this.require(caller, replay.resourceId) : { id, livemode, label };
    return { made, replayedBy: replay?.by ?? null };
  }

  /** Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<Parcel> {
    const rows: Parcel[] = await this.dataSource.query(`${SELECT} AND id = $3`, [accountId, livemode, id]);
    return found(rows[0] ?? null, 'parcel');
  }

  /** Newest first, below the uuid `before`. */
  list({ accountId, livemode }: Viewer, before: string | null, take: number): Promise<Parcel[]> {
    return this.dataSource.query(`${SELECT} AND id < $3 ORDER BY id DESC LIMIT $4`, [
      accountId,
      livemode,
      before ?? HIGHEST_ID,
      take,
    ]);
  }

  /** For events and webhooks. */
  @Presents('pcl', 'parcels:read')
  async present(viewer: Viewer, id: string): Promise<ParcelDto> {
    return ParcelDto.of(await this.require(viewer, id));
  }
}
