import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { decodeId } from '../src/core/http/ids';
import { openBank, post } from './bank';
import type { Service } from './service';
import type { Arrivals, Order, Ports } from './webhook-receiver';

/** An account, its endpoints, and transfers that events can be about. */
interface Partner {
  readonly accountId: string;
  readonly endpoints: readonly string[];
  readonly transfers: readonly string[];
}

/** Attempts that one endpoint may have under way: as many as the worker of test mode has places. */
export const CONCURRENCY = 64;
const ENDPOINTS_EACH = 50;
const TRANSFERS = 200;
const TICK_MS = 10;
const PILE_EACH = 500;
const POLL_MS = 100;
const GIVE_UP_MS = 600_000;

/** One statement, one commit: the id of an event is also its time. */
const INSERT = `
  INSERT INTO events (account_id, livemode, id, type, object_type, object_id)
  SELECT $1, false, uuidv7(), 'transfer.successful', 'trf', ($2::uuid[])[1 + i % cardinality($2::uuid[])] FROM generate_series(1, $3::integer) AS i`;

/** Each a delivery of its own, of the newest event. */
const OWE = `
  INSERT INTO webhook_deliveries (account_id, livemode, id, endpoint_id, event_id, event_type, status, next_attempt_at)
  SELECT e.account_id, e.livemode, uuidv7(), w.id, e.id, e.type, 'pending', now()
    FROM webhook_endpoints w CROSS JOIN LATERAL (
      SELECT * FROM events e WHERE e.account_id = w.account_id AND e.type = 'transfer.successful' ORDER BY e.id DESC LIMIT 1) e
   CROSS JOIN generate_series(1, $2::integer) WHERE w.id = $1`;

/** Accounts whose events happen by a statement each, and a receiver in a process of its own that counts what arrives. */
export class Stage {
  private constructor(
    private readonly service: Service,
    readonly client: Client,
    private readonly on: {
      readonly receiver: ChildProcess;
      readonly ports: Ports;
      readonly single: Partner;
      readonly many: readonly Partner[];
    },
  ) {}

  /** `single`: an account with one endpoint; `many`: two with fifty each. */
  static async prepare(service: Service, client: Client): Promise<Stage> {
    const { port } = await service.startApi();
    const receiver = service.processes.fork('webhook-receiver.ts');
    const ports = await service.processes.hear<Ports>(receiver);
    const open = async (endpoints: number): Promise<Partner> => {
      const {
        partner: { key, accountId },
        wallets: [from, to],
      } = await openBank(service, port, 2);
      const make = <T>(count: number, path: string, body: object) =>
        Promise.all(Array.from({ length: count }, () => post<T & { id: string }>(port, key, path, body)));
      // In this order: an endpoint is not told of what was before it.
      const transfers = await make(TRANSFERS, '/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount: 1 });
      const made = await make(endpoints, '/v4/webhooks', {
        url: urlOf(ports.healthy),
        events: ['transfer.successful'],
      });
      return {
        accountId: decodeId('acct', accountId)!,
        endpoints: made.map(({ id }) => decodeId('whk', id)!),
        transfers: transfers.map(({ id }) => decodeId('trf', id)!),
      };
    };
    const [single, ...many] = [await open(1), await open(ENDPOINTS_EACH), await open(ENDPOINTS_EACH)];
    await client.query('UPDATE webhook_endpoints SET in_flight_max = $2 WHERE id = $1', [
      single.endpoints[0],
      CONCURRENCY,
    ]);
    return new Stage(service, client, { receiver, ports, single, many });
  }

  get url(): string {
    return urlOf(this.on.ports.healthy);
  }

  /** What arrives when so many events happen at once, for the account with one endpoint. */
  async burst(count: number): Promise<Arrivals> {
    await this.ask('begin');
    await this.happen(this.on.single, count);
    await this.arrived(count);
    return this.ask('report');
  }

  /** What arrives of events that happen evenly for so long. `spread`: for the accounts with fifty endpoints, of which `dead` give no answer. */
  async pace(deliveriesPerSecond: number, seconds: number, spread?: { readonly dead: number }): Promise<Arrivals> {
    const partners = spread === undefined ? [this.on.single] : this.on.many;
    await this.ask('begin');
    const perPartner = deliveriesPerSecond / partners.length / partners[0]!.endpoints.length;
    const sent = await Promise.all(partners.map((partner) => this.sendOnTime(partner, perPartner, seconds)));
    const healthy = sent.reduce(
      (sum, events, i) => sum + events * (partners[i]!.endpoints.length - (i === 0 ? (spread?.dead ?? 0) : 0)),
      0,
    );
    await this.arrived(healthy);
    return this.ask('report');
  }

  /** From now on one of the hundred endpoints gives no answer, and so many deliveries to it are due. */
  async letDie(owed: number): Promise<void> {
    await this.point(this.victim, this.on.ports.dead);
    await this.client.query(OWE, [this.victim, owed]);
    await this.client.query('ANALYZE webhook_deliveries');
  }

  /** One event for all endpoints but that one, until it arrived. */
  async once(): Promise<void> {
    const [partner] = this.on.many;
    await this.happen(partner!, 1);
    await this.arrived(ENDPOINTS_EACH - 1);
  }

  begin(): Promise<unknown> {
    return this.ask('begin');
  }

  async arrived(count: number): Promise<void> {
    for (const since = performance.now(); (await this.ask<number>('count')) < count; await sleep(POLL_MS)) {
      if (performance.now() - since > GIVE_UP_MS)
        throw new Error(`${await this.ask<number>('count')} of ${count} messages arrived`);
    }
  }

  report(): Promise<Arrivals> {
    return this.ask('report');
  }

  /** Events for the account with one endpoint, some hundreds to a commit. */
  async pile(count: number): Promise<void> {
    for (let made = 0; made < count; made += PILE_EACH)
      await this.happen(this.on.single, Math.min(PILE_EACH, count - made));
  }

  private async sendOnTime(partner: Partner, perSecond: number, seconds: number): Promise<number> {
    const begun = performance.now();
    const last = Math.round(perSecond * seconds);
    for (let sent = 0; sent < last; await sleep(TICK_MS)) {
      const due = Math.min(last, Math.floor(((performance.now() - begun) / 1_000) * perSecond)) - sent;
      if (due > 0) await this.happen(partner, due);
      sent += due;
    }
    return last;
  }

  private happen({ accountId, transfers }: Partner, count: number): Promise<unknown> {
    return this.client.query(INSERT, [accountId, transfers, count]);
  }

  private point(endpoint: string, port: number): Promise<unknown> {
    return this.client.query('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [endpoint, urlOf(port)]);
  }

  /** What the dead one was not told is not wanted any more. */
  async revive(): Promise<void> {
    await this.point(this.victim, this.on.ports.healthy);
    await this.client.query('DELETE FROM webhook_deliveries WHERE endpoint_id = $1 AND next_attempt_at IS NOT NULL', [
      this.victim,
    ]);
    await this.client.query('VACUUM webhook_deliveries');
  }

  private get victim(): string {
    return this.on.many[0]!.endpoints[0]!;
  }

  private ask<T>(order: Order): Promise<T> {
    return this.service.processes.ask<T>(this.on.receiver, order);
  }
}

const urlOf = (port: number): string => `http://127.0.0.1:${port}/events`;
