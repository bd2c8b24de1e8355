import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FieldRefused } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import { EventLog, type StoredEvent } from '../../core/outbox/event-log';
import { type Attempted, WebhookSender } from './delivery/webhook-sender.service';
import { formatSecret, newKey } from './endpoint-secrets.service';
import { UrlPolicy } from './endpoints/url-policy.service';
import { type EventPattern, isEventPattern, listensTo } from './events/event-patterns';
import { EventsService } from './events/events.service';

/** Neither a type of events nor a pattern of them. */
class UnknownEventPattern extends FieldRefused {
  constructor(pattern: string) {
    super('/events', `${pattern} is neither a type of events nor a pattern like transaction.* or *.`);
  }
}

/** Whose events are forwarded, which of them, and where to. */
export interface Listening {
  readonly accountId: string;
  readonly patterns: readonly string[];
  readonly url: string;
}

/** An event, by its public id, and what the receiver made of it. */
export interface Forwarded {
  readonly id: string;
  readonly type: string;
  readonly attempted: Attempted;
}

export interface OpenListener {
  /** `whsec_…` for the receiver. Nothing else signs with it. */
  readonly secret: string;
  /** Each event of test mode from now on, once and in the order of its id, until `signal`. */
  forward(signal: AbortSignal): AsyncGenerator<Forwarded>;
}

const POLL_MS = 500;
/** An event has its id before its transaction commits: so long it may come late. */
const LATE_MAX_MS = 60_000;
const EVENTS_MAX = 10_000;

/** Forwards an account's events to a receiver under development, without an endpoint and without retries. */
@Injectable()
export class WebhookListener {
  constructor(
    private readonly log: EventLog,
    private readonly events: EventsService,
    private readonly policy: UrlPolicy,
    private readonly sender: WebhookSender,
  ) {}

  /** Throws `InvalidEndpointUrl`, `UnknownEventPattern`. */
  async open({ accountId, patterns, url }: Listening): Promise<OpenListener> {
    const unknown = patterns.find((pattern) => !isEventPattern(pattern));
    if (unknown !== undefined) throw new UnknownEventPattern(unknown);
    await this.policy.check(url, false);
    const key = newKey();
    const known = new Set((await this.recent(accountId)).map(({ id }) => id));
    const wanted = patterns as readonly EventPattern[];
    return {
      secret: formatSecret(key),
      forward: (signal) => this.forward({ accountId, wanted, url, key, known }, signal),
    };
  }

  private async *forward(
    { accountId, wanted, url, key, known }: Followed,
    signal: AbortSignal,
  ): AsyncGenerator<Forwarded> {
    let before: ReadonlySet<string> = known;
    while (!signal.aborted) {
      const recent = await this.recent(accountId);
      for (const event of recent.filter(({ id, type }) => !before.has(id) && listensTo(wanted, type))) {
        const id = encodeId('evt', event.id);
        yield { id, type: event.type, attempted: await this.post(event, url, key) };
      }
      before = new Set(recent.map(({ id }) => id));
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async post(event: StoredEvent, url: string, key: KeyObject): Promise<Attempted> {
    const body = await this.events.bodyOf(event, false);
    const message = {
      id: encodeId('evt', event.id),
      type: event.type,
      body,
      secrets: [key],
      attempt: 1,
      traceparent: null,
    };
    return this.sender.send(message, { url, livemode: false });
  }

  /** Oldest first. */
  private async recent(accountId: string): Promise<StoredEvent[]> {
    const since = { created_gte: new Date(Date.now() - LATE_MAX_MS) };
    return (await this.log.list({ accountId, livemode: false }, since, null, EVENTS_MAX)).toReversed();
  }
}

interface Followed {
  readonly accountId: string;
  readonly wanted: readonly EventPattern[];
  readonly url: string;
  readonly key: KeyObject;
  /** Ids of what came before. */
  readonly known: ReadonlySet<string>;
}
