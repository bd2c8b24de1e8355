import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { found, InsufficientScope, NotFound } from '../../../core/errors/domain-error';
import type { Caller } from '../../../core/http/caller';
import { decodeId, encodeId, lowestIdAt, timeOf } from '../../../core/http/ids';
import { EventLog, type StoredEvent } from '../../../core/outbox/event-log';
import { Resources } from '../../../core/resources/resources';
import { ID_PREFIXES, type IdPrefix } from '../../../vocabulary/id-prefixes';
import { DeliveriesService } from '../../webhooks/deliveries.service';
import { RequestLinks } from '../../request-logs/request-links';
import { RequestLogService } from '../../request-logs/request-log.service';

/** Who reads a story. */
export type Reader = Pick<Caller, 'accountId' | 'livemode' | 'scopes'>;

/** Something whose story is told, as the API shows it. */
export interface Subject {
  readonly prefix: IdPrefix;
  readonly id: string;
  readonly publicId: string;
  readonly shown: Readonly<Record<string, unknown>>;
}

/** Where a story begins to be looked for. */
export interface Root {
  readonly prefix: IdPrefix;
  readonly id: string;
  /** Public ids of what it is about. */
  readonly about: readonly string[];
  /** Those that belong to it whatever they are about. */
  readonly events: readonly StoredEvent[];
  /** Uuids. */
  readonly requests: readonly string[];
}

/** What is told together: each is a part of the story of the others. */
const TOGETHER = ['txn', 'pay', 'rfd', 'dep', 'cnv', 'trf', 'ctx', 'dsp'] as const satisfies readonly IdPrefix[];
const TOGETHER_ID = new RegExp(`^(?:${TOGETHER.join('|')})_[0-9a-z]{26}$`);
const ANY_ID = /^[a-z]{3,4}_[0-9a-z]{26}$/;
/** A field of the caller's may say any id. */
const OF_CALLERS: ReadonlySet<string> = new Set(['metadata', 'reference', 'narration', 'description', 'reason']);
const SUBJECTS_MAX = 24;
const EVENTS_MAX = 200;

/** Clocks of two processes may differ a little. */
export const SLACK_MS = 1_000;
/** What is told of something at once, or soon after. */
const SOON_MS = 60_000;

const OWN = 'account_id = $1 AND livemode = $2';
/** What leads to something without standing in it, by the prefix of that. */
const LEADING: Readonly<Partial<Record<IdPrefix, string>>> = {
  // The record of a card's fee has the id of the fee.
  txn: `
    SELECT 'pay' AS prefix, id FROM payments WHERE ${OWN} AND transaction_id = $3
    UNION ALL SELECT 'rfd', id FROM refunds WHERE ${OWN} AND transaction_id = $3
    UNION ALL SELECT 'dep', id FROM deposits WHERE ${OWN} AND transaction_id = $3
    UNION ALL SELECT 'ctx', id FROM card_transactions WHERE ${OWN} AND id = $3`,
  pay: `
    SELECT 'rfd' AS prefix, id FROM refunds WHERE ${OWN} AND payment_id = $3
    UNION ALL
    SELECT 'txn', (r->>'transactionId')::uuid FROM payments, jsonb_array_elements(reversals) r
     WHERE ${OWN} AND id = $3 AND r->>'transactionId' IS NOT NULL`,
  ctx: `
    SELECT 'dsp' AS prefix, id FROM disputes WHERE ${OWN} AND card_transaction_id = $3
    UNION ALL
    SELECT 'ctx', id FROM card_transactions
     WHERE ${OWN} AND id > $3 AND original_id = $3
       AND card_id = (SELECT card_id FROM card_transactions WHERE ${OWN} AND id = $3)`,
  dsp: `
    SELECT 'ctx' AS prefix, id FROM card_transactions
     WHERE ${OWN} AND id > $3 AND dispute_id = $3
       AND card_id = (SELECT card_id FROM disputes WHERE ${OWN} AND id = $3)`,
};

const SELECT_ROWS = `
  SELECT b.id, i.number, i.resource_id AS "transactionId" FROM batches b
    LEFT JOIN batch_items i ON i.account_id = b.account_id AND i.livemode = b.livemode AND i.batch_id = b.id
     AND i.resource_id = ANY ($6::uuid[])
   WHERE b.account_id = $1 AND b.livemode = $2 AND b.id >= $3 AND b.id < $4 AND b.request_id = ANY ($5::uuid[])
   ORDER BY i.number LIMIT 20`;

/** A row of a batch that made one of the transactions. */
export interface BatchRow {
  /** Uuid of the batch. */
  readonly id: string;
  readonly number: number | null;
  readonly transactionId: string | null;
}

/** Finds what belongs together: from any id of it to all the others. */
@Injectable()
export class StoryLinks {
  constructor(
    private readonly dataSource: DataSource,
    private readonly resources: Resources,
    private readonly events: EventLog,
    private readonly deliveries: DeliveriesService,
    private readonly requests: RequestLogService,
    private readonly links: RequestLinks,
  ) {}

  /** Throws `NotFound`, `InsufficientScope`. */
  async root(reader: Reader, publicId: string): Promise<Root> {
    const prefix = publicId.slice(0, Math.max(publicId.indexOf('_'), 0)) as IdPrefix;
    const isKnown = ID_PREFIXES.some((one) => one === prefix);
    const id = found(isKnown ? decodeId(prefix, publicId) : null, 'resource');
    if (prefix === 'req') return this.ofRequest(reader, publicId);
    if (!this.resources.isPresented(prefix)) throw new NotFound('resource');
    this.resources.requireReadable(reader, prefix);
    const about = { prefix, id, about: [publicId], events: [], requests: [] };
    if (prefix !== 'evt' && prefix !== 'dlv') return about;
    const eventId = prefix === 'evt' ? id : (await this.deliveries.require(reader, id)).delivery.eventId;
    const event = found(await this.events.find(reader, eventId), 'event');
    this.resources.requireReadable(reader, event.objectType);
    const objectId = encodeId(event.objectType, event.objectId);
    return { ...about, about: TOGETHER_ID.test(objectId) ? [objectId] : [], events: [event] };
  }

  /** What is told together with the root, the root's own first. Throws `NotFound`. */
  async subjects(reader: Reader, { about, id: rootId }: Root): Promise<Subject[]> {
    const known = new Map<string, Subject>();
    let next = [...about];
    while (next.length > 0 && known.size < SUBJECTS_MAX) {
      const made = await Promise.all(
        next.slice(0, SUBJECTS_MAX - known.size).map((publicId) => this.subject(reader, publicId, rootId)),
      );
      const fresh = made.filter((subject) => subject !== null);
      for (const subject of fresh) known.set(subject.publicId, subject);
      const linked = await Promise.all(fresh.map((subject) => this.linked(reader, subject)));
      next = [...new Set(linked.flat())].filter((publicId) => !known.has(publicId));
    }
    return [...known.values()];
  }

  /** Events about all of it, oldest first. */
  async eventsAbout(reader: Reader, subjects: readonly Subject[]): Promise<StoredEvent[]> {
    if (subjects.length === 0) return [];
    const first = Math.min(...subjects.map(({ id }) => timeOf(id).getTime()));
    const last = Math.max(...subjects.map(lastChange));
    const between: [Date, Date] = [new Date(first - SLACK_MS), new Date(last + SLACK_MS)];
    return this.events.about(
      reader,
      subjects.map(({ id }) => id),
      between,
    );
  }

  /** Uuids of the requests that made them, where their records say so. */
  async requestsOf(reader: Reader, subjects: readonly Subject[]): Promise<string[]> {
    const ids = await Promise.all(subjects.map(({ publicId }) => this.links.thatMade(reader, publicId)));
    return ids.filter((id) => id !== null);
  }

  /** Batches that these requests sent, and their rows that became these transactions. */
  batchRows(
    { accountId, livemode }: Reader,
    requests: readonly string[],
    subjects: readonly Subject[],
  ): Promise<BatchRow[]> {
    if (requests.length === 0) return Promise.resolve([]);
    const times = requests.map((id) => timeOf(id).getTime());
    const bounds = [Math.min(...times) - SLACK_MS, Math.max(...times) + SOON_MS].map((ms) => lowestIdAt(new Date(ms)));
    return this.dataSource.query(SELECT_ROWS, [accountId, livemode, ...bounds, requests, subjects.map(({ id }) => id)]);
  }

  /** To whom these were sent, and what was answered. */
  deliveriesOf(reader: Reader, events: readonly StoredEvent[]): ReturnType<DeliveriesService['ofEvents']> {
    return this.deliveries.ofEvents(
      reader,
      events.slice(0, EVENTS_MAX).map(({ id }) => id),
    );
  }

  private async ofRequest(reader: Reader, publicId: string): Promise<Root> {
    const { id, made, duration_ms: took } = await this.requests.require(reader, publicId);
    const began = timeOf(id).getTime();
    const events = await this.events.causedBy(reader, id, [
      new Date(began - SLACK_MS),
      new Date(began + took + SOON_MS),
    ]);
    const readable = events.filter(({ objectType }) => this.resources.isReadable(reader, objectType));
    return { prefix: 'req', id, about: made.filter((one) => TOGETHER_ID.test(one)), events: readable, requests: [id] };
  }

  /** Null: the reader may not see it, or there is none; of the root itself that is thrown. */
  private async subject(reader: Reader, publicId: string, rootId: string): Promise<Subject | null> {
    const prefix = publicId.slice(0, publicId.indexOf('_')) as IdPrefix;
    const id = decodeId(prefix, publicId);
    if (id === null || !this.resources.isReadable(reader, prefix)) return null;
    try {
      const shown = (await this.resources.present(reader, prefix, id)) as Subject['shown'];
      return { prefix, id, publicId, shown };
    } catch (error) {
      if (id !== rootId && (error instanceof NotFound || error instanceof InsufficientScope)) return null;
      throw error;
    }
  }

  private async linked({ accountId, livemode }: Reader, { prefix, id, shown }: Subject): Promise<string[]> {
    if (!TOGETHER.some((one) => one === prefix)) return [];
    const leading = LEADING[prefix];
    const rows: { prefix: IdPrefix; id: string }[] =
      leading === undefined ? [] : await this.dataSource.query(`${leading} LIMIT 20`, [accountId, livemode, id]);
    return [
      ...idsIn(shown).filter((publicId) => TOGETHER_ID.test(publicId)),
      ...rows.map((row) => encodeId(row.prefix, row.id)),
    ];
  }
}

/** Public ids that stand in something, but not where callers write what they like. */
export function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return ANY_ID.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([name, of]) => (OF_CALLERS.has(name) ? [] : idsIn(of)));
}

/** What is not told together with others is told of for a minute: how it came about. */
function lastChange({ prefix, id, shown }: Subject): number {
  const made = timeOf(id).getTime();
  const isTold = prefix === 'bat' || TOGETHER.some((one) => one === prefix);
  return isTold && shown.updated_at instanceof Date ? Math.max(shown.updated_at.getTime(), made) : made + SOON_MS;
}
