import { Injectable, type OnModuleInit } from '@nestjs/common';
import { circuitBreaker, type CircuitBreakerPolicy, ConsecutiveBreaker, handleAll } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { DataSource } from 'typeorm';
import { found } from '../../core/errors/domain-error';
import type { Tenant } from '../../core/http/caller';
import { encodeId, lowestIdAt, newIdOf } from '../../core/http/ids';
import type { Replay, ReplayedBy, RequestClaim } from '../../core/idempotency/claim';
import { claimOfAccount } from '../../core/idempotency/claims';
import { Idempotency } from '../../core/idempotency/idempotency';
import { toJsonNumber } from '../../core/money/money';
import { type Asked, WebhookQuestions } from '../webhooks/questions.service';
import type { Decision, DecisionOutcome } from './card-transaction.entity';
import type { AuthorizationOrder, UsedCard, Verdict, Weighing } from './card-transactions.service';
import { AuthorizationsService } from './authorizations.service';

export type Fallback = 'approve' | 'decline';

export interface AuthorizationEndpoint extends Asked {
  readonly fallback: Fallback;
  readonly version: number;
  readonly updatedAt: Date;
}

/** The last 24 hours, by the time of the service. */
export interface AuthorizationHealth {
  readonly decisions: number;
  readonly fallbacks: number;
  readonly outcomes: Partial<Record<DecisionOutcome, number>>;
  readonly latency_p50_ms: number | null;
  readonly latency_p99_ms: number | null;
}

const KNOWN_MAX = 10_000;
const REASON_MAX = 200;
const DAY_MS = 24 * 3_600_000;
const TYPE = 'card.authorization.requested';

const COLUMNS = `account_id AS "accountId", livemode, id, url, fallback, secret, version, updated_at AS "updatedAt"`;
const SELECT = `SELECT ${COLUMNS} FROM card_authorization_endpoints WHERE account_id = $1 AND livemode = $2`;
const PUT = `
  INSERT INTO card_authorization_endpoints AS e (account_id, livemode, id, url, fallback, secret, version, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, 1, now())
  ON CONFLICT ON CONSTRAINT card_authorization_endpoints_pkey
  DO UPDATE SET url = $4, fallback = $5, version = e.version + 1, updated_at = excluded.updated_at
          WHERE (e.url, e.fallback) <> ($4, $5)
  RETURNING ${COLUMNS}`;
const DELETE = 'DELETE FROM card_authorization_endpoints WHERE account_id = $1 AND livemode = $2 RETURNING id';
/** Account, mode, the lowest id of a day ago. */
const SELECT_HEALTH = `
  SELECT decision->>'outcome' AS outcome, decision->>'by' AS by, count(*)::int AS count,
         array_agg((decision->>'latency_ms')::int) AS latencies
    FROM card_transactions
   WHERE account_id = $1 AND livemode = $2 AND id >= $3 AND decision IS NOT NULL GROUP BY 1, 2`;

/** Counts against the breaker. */
class NoAnswer extends Error {
  constructor(
    readonly outcome: DecisionOutcome,
    readonly latencyMs: number,
  ) {
    super(outcome);
  }
}

interface Known {
  readonly endpoint: AuthorizationEndpoint;
  readonly breaker: CircuitBreakerPolicy;
}

interface Put {
  readonly endpoint: AuthorizationEndpoint;
  readonly secret: string | null;
  readonly replayedBy: ReplayedBy | null;
}

interface Said {
  readonly isApproved: boolean;
  readonly amount: bigint;
  readonly reason: string | null;
  readonly latencyMs: number;
}

/** Where accounts decide about the authorizations of their cards themselves: one address for each account and mode. */
@Injectable()
export class AuthorizationEndpoints implements OnModuleInit {
  /** From the look-up of the name to the end of the answer. */
  timeoutMs = 2_000;
  /** After an answer that did not come an address is left alone for so long; then one question is tried. */
  restMs = 10_000;
  /** By id and version. Each process has its own: an address that is away costs each of them one wait. */
  private readonly known = new LRUCache<string, Known>({ max: KNOWN_MAX });

  constructor(
    private readonly dataSource: DataSource,
    private readonly questions: WebhookQuestions,
    private readonly authorizations: AuthorizationsService,
    private readonly idempotency: Idempotency,
  ) {}

  onModuleInit(): void {
    this.authorizations.include((weighing) => this.weigh(weighing));
  }

  /**
   * `secret` is null when there was one before. Sent again it changes nothing. Throws `InvalidEndpointUrl`,
   * `IdempotencyKeyReused`.
   */
  async put(
    { accountId, livemode }: Tenant,
    { url, fallback }: { readonly url: string; readonly fallback: Fallback },
    request: RequestClaim,
  ): Promise<Put> {
    await this.questions.check(url, livemode);
    const id = newIdOf(accountId);
    const { shown, sealed } = this.questions.newSecret(id);
    const values = [accountId, livemode, id, url, fallback, sealed];
    let changed: AuthorizationEndpoint | undefined;
    const replay = await this.idempotency.once(claimOfAccount({ accountId, livemode }, request), async (tx) => {
      [changed] = (await tx.query(PUT, values)) as AuthorizationEndpoint[];
    });
    const endpoint = changed ?? (await this.require({ accountId, livemode }));
    return { endpoint, secret: endpoint.id === id ? shown : null, replayedBy: replay?.by ?? null };
  }

  /** Null: the account has none. */
  async find({ accountId, livemode }: Tenant): Promise<AuthorizationEndpoint | null> {
    const [endpoint]: AuthorizationEndpoint[] = await this.dataSource.query(SELECT, [accountId, livemode]);
    return endpoint ?? null;
  }

  /** Throws `NotFound`. */
  async require(owner: Tenant): Promise<AuthorizationEndpoint> {
    return found(await this.find(owner), 'authorization endpoint');
  }

  /**
   * From now on only the rules of the cards decide. A replay leaves the one that was registered since. Throws
   * `NotFound`, `IdempotencyKeyReused`.
   */
  remove({ accountId, livemode }: Tenant, request: RequestClaim): Promise<Replay | null> {
    return this.idempotency.once(claimOfAccount({ accountId, livemode }, request), async (tx) => {
      const [removed]: [unknown[]] = await tx.query(DELETE, [accountId, livemode]);
      found(removed[0], 'authorization endpoint');
    });
  }

  async health({ accountId, livemode }: Tenant): Promise<AuthorizationHealth> {
    const since = lowestIdAt(new Date(Date.now() - DAY_MS));
    const rows: { outcome: DecisionOutcome; by: Decision['by']; count: number; latencies: (number | null)[] }[] =
      await this.dataSource.query(SELECT_HEALTH, [accountId, livemode, since]);
    const count = (some: typeof rows): number => some.reduce((sum, row) => sum + row.count, 0);
    const said = rows
      .filter(({ by }) => by === 'endpoint')
      .flatMap(({ latencies }) => latencies.filter((ms) => ms !== null))
      .sort((a, b) => a - b);
    const within = (share: number): number | null => said[Math.ceil(said.length * share) - 1] ?? null;
    return {
      decisions: count(rows),
      fallbacks: count(rows.filter(({ by }) => by === 'fallback')),
      outcomes: Object.fromEntries(rows.map(({ outcome, count: n }) => [outcome, n])),
      latency_p50_ms: within(0.5),
      latency_p99_ms: within(0.99),
    };
  }

  /** What gives no answer of use falls back. Null: the address was taken away a moment ago. */
  private async weigh({ card, endpoint: name, id, order }: Weighing): Promise<Verdict | null> {
    const known = this.known.get(name) ?? (await this.know(card));
    if (known === null) return null;
    const { endpoint, breaker } = known;
    try {
      const said = await breaker.execute(() => this.saidBy(endpoint, id, bodyOf(id, card, order)));
      const { isApproved, amount, reason, latencyMs } = said;
      const outcome = isApproved ? 'approved' : 'declined';
      return { isApproved, amount, decision: { by: 'endpoint', outcome, reason, latency_ms: latencyMs } };
    } catch (error) {
      const { outcome, latencyMs } =
        error instanceof NoAnswer ? error : ({ outcome: 'not_asked', latencyMs: null } as const);
      const decision: Decision = { by: 'fallback', outcome, reason: null, latency_ms: latencyMs };
      return { isApproved: endpoint.fallback === 'approve', amount: order.amount, decision };
    }
  }

  private async know(owner: Tenant): Promise<Known | null> {
    const endpoint = await this.find(owner);
    if (endpoint === null) return null;
    const name = `${endpoint.id}/${endpoint.version}`;
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const breaker = circuitBreaker(handleAll, { halfOpenAfter: this.restMs, breaker: new ConsecutiveBreaker(1) });
    const made = { endpoint, breaker };
    this.known.set(name, made);
    return made;
  }

  private async saidBy(endpoint: AuthorizationEndpoint, id: string, { body, max }: Wanted): Promise<Said> {
    const question = { id: encodeId('ctx', id), type: TYPE, body, timeoutMs: this.timeoutMs };
    const { code, responseBody, durationMs } = await this.questions.ask(endpoint, question);
    if (code !== 'ok') throw new NoAnswer(code === 'timeout' ? 'timeout' : 'failed', durationMs);
    const said = readAnswer(responseBody, max);
    if (said === null) throw new NoAnswer('malformed', durationMs);
    return { ...said, latencyMs: durationMs };
  }
}

interface Wanted {
  readonly body: string;
  /** What was asked for, in minor units. */
  readonly max: bigint;
}

function bodyOf(id: string, { id: cardId, currency, livemode, now }: UsedCard, order: AuthorizationOrder): Wanted {
  const { amount, merchant, told } = order;
  const object = {
    object: 'authorization_request',
    id: encodeId('ctx', id),
    card_id: encodeId('crd', cardId),
    amount: toJsonNumber(amount),
    currency,
    merchant,
    merchant_amount: told?.merchantAmount ? toJsonNumber(told.merchantAmount) : null,
    merchant_currency: told?.merchantCurrency ?? null,
    fx_rate: told?.fxRate ?? null,
  };
  return { body: JSON.stringify({ type: TYPE, livemode, created_at: now, data: { object } }), max: amount };
}

/** `{approve, reason?, amount?}`; null for whatever else it may be. */
function readAnswer(text: string | null, max: bigint): Omit<Said, 'latencyMs'> | null {
  let given: unknown;
  try {
    given = JSON.parse(text ?? '');
  } catch {
    return null;
  }
  if (typeof given !== 'object' || given === null) return null;
  const { approve, reason = null, amount = null } = given as Record<string, unknown>;
  if (typeof approve !== 'boolean') return null;
  if (reason !== null && (typeof reason !== 'string' || reason.length > REASON_MAX)) return null;
  if (amount === null) return { isApproved: approve, amount: max, reason };
  if (typeof amount !== 'number' || amount % 1 !== 0 || amount < 1 || BigInt(amount) > max) return null;
  return { isApproved: approve, amount: BigInt(amount), reason };
}
