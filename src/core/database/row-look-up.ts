import type { Repository } from 'typeorm';
import { arrayParam } from './array-param';
import { Batcher } from './batcher';

/** A row that belongs to one mode of one account. */
interface Owned {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly id: string;
}

const AMONG =
  '(r.account_id, r.livemode, r.id) IN (SELECT * FROM unnest(:accounts::uuid[], :modes::boolean[], :ids::uuid[]))';
const LIMITS = {
  batchMax: 200,
  parallel: 2,
  queueMax: Infinity,
  overflow: () => new Error('too many look-ups at once'),
};

const keyOf = ({ accountId, livemode, id }: Owned): string => `${accountId} ${livemode} ${id}`;

/** Finds rows by their key. Look-ups of the same moment are one query: one of its own would cost more than all else of a delivery. */
export class RowLookUp<Row extends Owned> {
  private readonly batcher = new Batcher<Owned, Row | null>((keys) => this.select(keys), LIMITS);

  constructor(private readonly rows: Repository<Row>) {}

  find({ accountId, livemode, id }: Owned): Promise<Row | null> {
    return this.batcher.add({ accountId, livemode, id });
  }

  private async select(keys: readonly Owned[]): Promise<(Row | null)[]> {
    const params = {
      accounts: arrayParam(
        'uuid',
        keys.map(({ accountId }) => accountId),
      ),
      modes: arrayParam(
        'boolean',
        keys.map(({ livemode }) => livemode),
      ),
      ids: arrayParam(
        'uuid',
        keys.map(({ id }) => id),
      ),
    };
    const rows = await this.rows.createQueryBuilder('r').where(AMONG, params).getMany();
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return keys.map((key) => byKey.get(keyOf(key)) ?? null);
  }
}
