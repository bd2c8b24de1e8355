import { encodeId, timeOf } from '../../../core/http/ids';
import { type Currency, displayMoney, toJsonNumber } from '../../../core/money/money';
import type { StoredEvent } from '../../../core/outbox/event-log';
import { redactedJson } from '../../../core/request-log/kept';
import { scrubText } from '../../../core/text/scrubbed';
import type { LedgerEntry } from '../../ledger/entries.service';
import type { Happening } from '../../transactions/timeline.service';
import type { DeliveriesService } from '../../webhooks/deliveries.service';
import type { AuditRecord } from '../audit.service';
import type { RequestExchangeDto } from '../../request-logs/request-log.dto';
import type { RequestSender } from '../../request-logs/request-log.service';
import type { StepKind, StoryActorDto, StoryAmountDto, StoryFactDto, StoryStepDto } from './story.dto';
import { type BatchRow, idsIn, type Subject } from './story-links';

type AttemptedDelivery = Awaited<ReturnType<DeliveriesService['ofEvents']>>[number];

/** A step before it is known which of them was asked for. */
export type Step = Omit<StoryStepDto, 'current'>;

const EMPTY = {
  status: null,
  about: null,
  actor: null,
  links: [],
  amounts: [],
  facts: [],
  lines: [],
  request: null,
  answer: null,
} satisfies Partial<Step>;

/** What comes first in one millisecond. */
const ORDER: readonly StepKind[] = [
  'request',
  'made',
  'ledger',
  'provider',
  'decision',
  'card',
  'ended',
  'event',
  'delivery',
  'reveal',
];

/** Oldest first, each once. */
export function inOrder(steps: readonly Step[]): Step[] {
  const each = new Map<string, Step>();
  for (const step of steps) each.set(step.id, together(each.get(step.id), step));
  return [...each.values()].sort(
    (a, b) => a.at.getTime() - b.at.getTime() || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind),
  );
}

/** One posting may be of two transactions, such as a transfer between own wallets: its lines are told together. */
function together(before: Step | undefined, step: Step): Step {
  if (before === undefined || step.kind !== 'ledger') return before ?? step;
  const lines = [...new Map([...before.lines, ...step.lines].map((line) => [line.id, line])).values()];
  return { ...before, lines, title: movement(lines), amounts: moved(lines) };
}

export const PLATFORM: StoryActorDto = { type: 'platform', id: null, name: null };

/** A key by its name, where the reader may see keys; a person by theirs. */
export function actorOf(sender: RequestSender | undefined, seesKeys: boolean): StoryActorDto | null {
  if (sender === undefined) return null;
  const { keyId, keyName, last4, userId, personName } = sender;
  if (keyId !== null)
    return {
      type: 'key',
      id: encodeId('key', keyId),
      name: seesKeys && keyName ? `${keyName} …${last4}` : `…${last4}`,
    };
  return userId === null ? null : { type: 'person', id: encodeId('usr', userId), name: personName };
}

const words = (text: string): string => text.replaceAll(/[._]/g, ' ');
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const facts = (pairs: readonly (readonly [string, unknown])[]): StoryFactDto[] =>
  pairs.flatMap(([name, value]) => {
    const text = typeof value === 'number' ? String(value) : textOf(value);
    return text === null ? [] : [{ name, value: text }];
  });

const amountOf = (name: string, amount: number, currency: string): StoryAmountDto => ({
  name,
  amount,
  currency,
  amount_display: displayMoney({ amount: BigInt(amount), currency: currency as Currency }),
});

/** Fields that are amounts, each in the currency that a field names. */
const AMOUNTS = [
  ['amount', 'currency'],
  ['fee', 'currency'],
  ['commission', 'currency'],
  ['total', 'currency'],
  ['amount_received', 'currency_received'],
  ['amount_refunded', 'currency'],
  ['settled_amount', 'currency'],
  ['refunded_amount', 'currency'],
  ['sell_amount', 'from_currency'],
  ['buy_amount', 'to_currency'],
] as const;

const amountsOf = (shown: Subject['shown']): StoryAmountDto[] =>
  AMOUNTS.flatMap(([name, of]) => {
    const [amount, currency] = [shown[name], shown[of]];
    const isSaid = typeof amount === 'number' && typeof currency === 'string' && (amount !== 0 || name === 'amount');
    return isSaid ? [amountOf(words(name), amount, currency)] : [];
  });

const TITLES: Readonly<Record<string, string>> = {
  payment: 'Payment asked for',
  refund: 'Refund asked for',
  deposit: 'Deposit announced',
  dispute: 'Dispute opened',
};

const titleOf = ({ prefix, shown }: Subject): string => {
  const type = textOf(shown.type);
  if (type !== null && (prefix === 'txn' || prefix === 'ctx'))
    return sentence(words(prefix === 'ctx' ? `card ${type}` : type));
  const object = textOf(shown.object) ?? 'thing';
  return TITLES[object] ?? sentence(words(object));
};

interface Said {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly name?: unknown;
  readonly by?: unknown;
  readonly outcome?: unknown;
  readonly latency_ms?: unknown;
}
const said = (value: unknown): Said => (typeof value === 'object' && value !== null ? value : {});

/** That something came to be, and what it is today. */
export function madeStep(subject: Subject, actor: StoryActorDto): Step {
  const { id, publicId, shown } = subject;
  const decision = said(shown.decision);
  return {
    ...EMPTY,
    id: publicId,
    kind: 'made',
    at: timeOf(id),
    title: titleOf(subject),
    about: publicId,
    actor,
    links: [...new Set([publicId, ...idsIn(shown)])].slice(0, 12),
    amounts: amountsOf(shown),
    facts: facts([
      ['state now', shown.status],
      ['recipient', shown.recipient],
      ['reference', shown.reference],
      ['gateway', shown.gateway],
      ['merchant', said(shown.merchant).name],
      ['declined for', textOf(shown.decline_reason) && words(shown.decline_reason as string)],
      ['decided by', decision.by && `${textOf(decision.by)}: ${textOf(decision.outcome)}`],
      ['decided in ms', decision.latency_ms],
      ['why it failed', said(shown.failure).message],
      ['code', said(shown.failure).code],
    ]),
  };
}

/** Null where something has no end, or none yet. */
export function endedStep({ prefix, publicId, shown }: Subject): Step | null {
  if (prefix !== 'txn' || !(shown.completed_at instanceof Date)) return null;
  // A reversal later is a transaction of its own.
  const status = shown.status === 'reversed' ? 'successful' : (textOf(shown.status) ?? '');
  return {
    ...EMPTY,
    id: `end-${publicId}`,
    kind: 'ended',
    at: shown.completed_at,
    title: `It ended: ${status}`,
    status,
    about: publicId,
    links: [publicId],
    actor: PLATFORM,
  };
}

const KIND_WORDS: Readonly<Record<Happening['kind'], (provider: string, outcome: string) => string>> = {
  'provider.choice': () => 'The order of providers was drawn',
  'provider.attempt': (provider) => `${provider} was asked`,
  'provider.answer': (provider, outcome) => `${provider} answered: ${outcome}`,
  'provider.requery': (provider, outcome) => `${provider} was asked again: ${outcome}`,
  'provider.callback': (provider, outcome) => `${provider} told by itself: ${outcome}`,
  'review.decision': (_, outcome) => `A person decided: ${outcome}`,
};

const sharesOf = (shares: unknown): string | null =>
  Array.isArray(shares)
    ? shares
        .map((one: { provider: string; share_basis_points: number }) =>
          [one.provider, `${(one.share_basis_points / 100).toFixed(1)} %`].join(' '),
        )
        .join(', ')
    : null;

/** What a provider, or a person, said about something. */
export function happeningStep(about: string, { at, kind, data }: Happening): Step {
  const provider = textOf(data.provider);
  const outcome = textOf(data.outcome);
  const number = typeof data.number === 'number' ? data.number : null;
  return {
    ...EMPTY,
    // The same of a payment and of its credit is one step.
    id: ['said', at.getTime(), kind.replace('.', '-'), number, provider].filter((part) => part !== null).join('-'),
    kind: kind === 'review.decision' ? 'decision' : 'provider',
    at,
    title: KIND_WORDS[kind](words(provider ?? 'somebody'), words(outcome ?? 'nothing yet')),
    status: kind === 'provider.attempt' ? null : outcome,
    about,
    actor:
      kind === 'review.decision' || provider === null
        ? PLATFORM
        : { type: 'provider', id: null, name: words(provider) },
    facts: facts([
      ['attempt', number],
      ['our reference', data.reference],
      ['its reference', data.provider_reference],
      ['code', data.code],
      ['message', textOf(data.message) && scrubText(data.message as string)],
      ['shares', sharesOf(data.shares)],
    ]),
  };
}

/** In words: what the lines of one posting did. */
function movement(lines: Step['lines']): string {
  const sum = (part: string): bigint =>
    lines.filter(({ bucket }) => bucket === part).reduce((total, { amount }) => total + BigInt(amount), 0n);
  const [available, held] = [sum('available'), sum('held')];
  if (available < 0n && held > 0n) return 'Money was held';
  if (available > 0n && held < 0n) return 'What was held came back';
  if (held < 0n) return 'What was held was paid out';
  if (new Set(lines.map(({ amount }) => amount < 0)).size === 2) return 'Money moved between own accounts';
  return available < 0n ? 'Money was taken' : 'Money came in';
}

/** How much: what left, or what came where nothing left. */
function moved(lines: Step['lines']): StoryAmountDto[] {
  const [out, into] = [-1, 1].map((sign) =>
    lines.filter(({ amount }) => Math.sign(amount) === sign).reduce((sum, { amount }) => sum + BigInt(amount), 0n),
  ) as [bigint, bigint];
  return [amountOf('moved', toJsonNumber(out === 0n ? into : -out), lines[0]!.currency)];
}

/** Lines by the posting that wrote them. `cardId`: the ledger account that is a card's. */
export function ledgerSteps(
  about: string,
  entries: readonly LedgerEntry[],
  { currency, cardId }: { readonly currency: string; readonly cardId: string | null },
): Step[] {
  const postings = Map.groupBy(entries, ({ postingId, createdAt }) => `${postingId}-${createdAt.getTime()}`);
  return [...postings].map(([key, posted]) => {
    const lines = posted.map(({ seq, ledgerAccountId, bucket, amount, availableAfter, heldAfter }) => ({
      id: `${ledgerAccountId}-${seq}`,
      wallet_id: ledgerAccountId === cardId ? null : encodeId('wal', ledgerAccountId),
      card_id: ledgerAccountId === cardId ? encodeId('crd', cardId) : null,
      bucket,
      amount: toJsonNumber(amount),
      balance_after: toJsonNumber(bucket === 'held' ? heldAfter : availableAfter),
      currency,
    }));
    const [id, at] = [`ledger-${key}`, posted[0]!.createdAt];
    const amounts = moved(lines);
    return {
      ...EMPTY,
      id,
      kind: 'ledger' as const,
      at,
      title: movement(lines),
      about,
      actor: PLATFORM,
      amounts,
      lines,
    };
  });
}

/** A step that an issuer told of. */
export interface Clearing {
  readonly id: string;
  readonly kind: 'clearing' | 'void' | 'expiry' | 'refund';
  readonly amount: string;
  readonly issuerReference: string | null;
}

const CLEARED: Readonly<Record<Clearing['kind'], string>> = {
  clearing: 'The merchant got its money',
  void: 'The merchant let it go',
  expiry: 'It lapsed',
  refund: 'Money came back from the merchant',
};

export const clearingStep = (
  about: string,
  currency: string,
  { id, kind, amount, issuerReference }: Clearing,
): Step => ({
  ...EMPTY,
  id: `clearing-${id}`,
  kind: 'card',
  at: timeOf(id),
  title: CLEARED[kind],
  about,
  actor: { type: 'provider', id: null, name: 'card network' },
  amounts: [amountOf('amount', toJsonNumber(BigInt(amount)), currency)],
  facts: facts([['issuer reference', issuerReference]]),
});

export function eventStep(event: StoredEvent, actor: StoryActorDto): Step {
  const [id, about] = [encodeId('evt', event.id), encodeId(event.objectType, event.objectId)];
  const requestId = event.requestId && encodeId('req', event.requestId);
  return {
    ...EMPTY,
    id,
    kind: 'event',
    at: timeOf(event.id),
    title: event.type,
    about,
    actor,
    links: [id, about, ...(requestId ? [requestId] : [])],
  };
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
const BODY_MAX = 4_000;

/** What a receiver answered may be what it was sent. */
function answered(body: string | null): string | null {
  if (body === null || body === '') return null;
  try {
    return redactedJson(JSON.parse(body)) ?? scrubText(body.slice(0, BODY_MAX));
  } catch {
    return scrubText(body.slice(0, BODY_MAX));
  }
}

/** Of deliveries without an attempt. */
const UNSENT: Readonly<Record<string, string>> = {
  pending: 'is to be delivered',
  disabled: 'was not sent: the endpoint was disabled',
};

/** Each attempt; of a delivery that waits for its first, that it waits. */
export function deliverySteps({ delivery, attempts }: AttemptedDelivery): Step[] {
  const [id, endpoint] = [encodeId('dlv', delivery.id), encodeId('whk', delivery.endpointId)];
  const links = [id, encodeId('evt', delivery.eventId), endpoint];
  const base = { ...EMPTY, kind: 'delivery' as const, about: encodeId('evt', delivery.eventId), links };
  if (attempts.length === 0)
    return [
      {
        ...base,
        id,
        at: timeOf(delivery.id),
        title: `${delivery.eventType} ${UNSENT[delivery.status] ?? 'was not sent'}`,
        status: delivery.status,
        actor: PLATFORM,
      },
    ];
  return attempts.map((attempt) => ({
    ...base,
    id: attempt.number === 1 ? id : `${id}-${attempt.number}`,
    at: timeOf(attempt.id),
    title: `${delivery.eventType} to ${hostOf(attempt.url)}: ${
      attempt.httpStatus === null ? words(attempt.code) : `HTTP ${attempt.httpStatus}`
    }`,
    status: attempt.code === 'ok' ? 'delivered' : 'failed',
    actor: { type: 'endpoint' as const, id: endpoint, name: hostOf(attempt.url) },
    facts: facts([
      ['attempt', attempt.number],
      ['asked for by a person', delivery.isReplay ? 'yes' : null],
      ['delivery', words(delivery.status)],
    ]),
    answer: {
      url: attempt.url,
      status: attempt.httpStatus,
      code: attempt.code,
      duration_ms: attempt.durationMs,
      body: answered(attempt.responseBody),
    },
  }));
}

export const requestStep = (request: RequestExchangeDto, actor: StoryActorDto | null): Step => ({
  ...EMPTY,
  id: request.id,
  kind: 'request',
  at: request.created_at,
  title: `${request.method} ${request.path}`,
  status: String(request.status),
  about: request.id,
  actor,
  links: [request.id],
  request,
});

/** A row of a batch, or the batch itself. */
export function batchStep({ id, number, transactionId }: BatchRow): Step {
  const batch = encodeId('bat', id);
  const made = transactionId === null ? [] : [encodeId('txn', transactionId)];
  return {
    ...EMPTY,
    id: number === null ? batch : `${batch}-${number}`,
    kind: 'made',
    at: timeOf(id),
    title: number === null ? 'Batch' : `Row ${number + 1} of a batch`,
    about: batch,
    links: [batch, ...made],
  };
}

export const revealStep = ({ id, actor, userId, target }: AuditRecord): Step => ({
  ...EMPTY,
  id: encodeId('aud', id),
  kind: 'reveal',
  at: timeOf(id),
  title: 'Tokens and PINs were shown',
  about: target,
  actor: { type: 'person', id: userId && encodeId('usr', userId), name: actor },
});
