import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import { encodeId } from '../../../core/http/ids';
import { type Letter, plainName } from '../../../core/mail/letter';
import { MailsService } from '../../../core/mail/mails.service';
import { EventLog, type EventMark, type EventPlace } from '../../../core/outbox/event-log';
import { Recurring } from '../../../core/queue/recurring-jobs';

/** It reads all events of that time in one statement. */
const EVERY_MS = 2_000;
const TAKE = 200;
const GOOD_FOR_SECONDS = 24 * 3_600;

/** What owners are told of an endpoint, by the event that says it. */
const TOLD: Readonly<Record<string, { readonly subject: string; readonly says: string }>> = {
  'webhook_endpoint.failing': {
    subject: 'A webhook endpoint does not answer well',
    says: 'has failed for days. It is disabled when it has failed for five; what it missed can be replayed for longer.',
  },
  'webhook_endpoint.disabled': {
    subject: 'A webhook endpoint was disabled',
    says: 'was disabled: nothing is sent to it any more. Mend it, enable it, and replay what it missed.',
  },
  'webhook_endpoint.recovered': {
    subject: 'A webhook endpoint works again',
    says: 'works again, and gets its events as they happen.',
  },
};

const SELECT_PLACE = `SELECT number::text, id, read_at AS at FROM event_readers WHERE name = 'endpoint_mails'`;
const MOVE = `
  UPDATE event_readers SET number = $3, id = $4, read_at = $5
   WHERE name = 'endpoint_mails' AND number = $1 AND id = $2 RETURNING 1`;

/** Everybody who owns the account of an endpoint: account, mode, endpoint. */
const SELECT_OWNERS = `
  SELECT u.email, a.name AS account, w.url
    FROM webhook_endpoints w
    JOIN accounts a ON a.id = w.account_id
    JOIN team_members m ON m.account_id = w.account_id AND m.role = 'owner' AND m.removed_at IS NULL
    JOIN users u ON u.id = m.user_id
   WHERE w.account_id = $1 AND w.livemode = $2 AND w.id = $3 AND w.deleted_at IS NULL
   ORDER BY u.email`;

interface Owner {
  readonly email: string;
  readonly account: string;
  readonly url: string;
}

/**
 * Mail for owners when an endpoint is warned, disabled or well again: after the events that say so. The place behind
 * which it goes on moves in the transaction that writes the mails, so that each is written once.
 */
@Injectable()
export class EndpointMails {
  constructor(
    private readonly dataSource: DataSource,
    private readonly events: EventLog,
    private readonly uow: UnitOfWork,
    private readonly mails: MailsService,
  ) {}

  @Recurring({ name: 'endpoint_mails.write', everyMs: EVERY_MS })
  async write(): Promise<void> {
    for (let isMore = true; isMore;) {
      const [from] = (await this.dataSource.query(SELECT_PLACE)) as [EventPlace];
      const read = await this.events.since(from, { types: Object.keys(TOLD), take: TAKE });
      if (read.place === from) return;
      const isMine = await this.uow.run((tx) => this.tell(tx, from, read));
      isMore = isMine && read.isMore;
    }
  }

  /** False: another process was here first. */
  private async tell(
    tx: Tx,
    from: EventPlace,
    { events, place }: { readonly events: readonly EventMark[]; readonly place: EventPlace },
  ): Promise<boolean> {
    const params = [from.number, from.id, place.number, place.id, place.at];
    const [moved]: [unknown[], number] = await tx.query(MOVE, params);
    if (moved.length === 0) return false;
    for (const event of events) await this.tellOf(tx, event);
    return true;
  }

  private async tellOf(tx: Tx, { accountId, livemode, objectId, type }: EventMark): Promise<void> {
    const owners: Owner[] = await tx.query(SELECT_OWNERS, [accountId, livemode, objectId]);
    const path = `/dashboard/${livemode ? 'live' : 'test'}/webhooks/${encodeId('whk', objectId)}`;
    for (const { email, account, url } of owners) {
      const letter = letterOf(type, { account, url, livemode, path });
      await this.mails.add(tx, { kind: type, to: email, letter, goodForSeconds: GOOD_FOR_SECONDS });
    }
  }
}

interface About {
  readonly account: string;
  readonly url: string;
  readonly livemode: boolean;
  readonly path: string;
}

function letterOf(type: string, { account, url, livemode, path }: About): Letter {
  const { subject, says } = TOLD[type]!;
  const of = `${plainName(account) || 'your account'} in ${livemode ? 'live' : 'test'} mode`;
  // The host alone: an address may hold what is nobody's business, and letters are read by many programs.
  return {
    subject: livemode ? subject : `${subject} (test mode)`,
    paragraphs: [`The endpoint at ${new URL(url).host} of ${of} ${says}`],
    link: { label: 'See its deliveries', path },
  };
}
