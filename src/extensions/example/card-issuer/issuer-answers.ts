import type { Recovery } from '../../../core/errors/domain-error';
import type {
  FindCardResult,
  IssueResult,
  IssuerRefused,
  IssuerUnknown,
  Revealed,
  UpdateResult,
} from '../../../modules/cards/card-issuer';
import type { IssuerAnswer } from './issuer-client';
import refusals from './refusals.json';

type Refusals = Readonly<Record<string, { code: string; message: string; recovery: string }>>;

/** Reasons that the issuer's manual gives for a refusal. What is not listed here is no refusal. */
const OF_ORDER: Refusals = refusals.order;
/** Those that are about our account end an order which is being sent, and say nothing of one that was sent before. */
const ALL: Refusals = { ...OF_ORDER, ...refusals.account };

const UNREADABLE: IssuerUnknown = { outcome: 'unknown', code: 'unreadable_answer' };

/**
 * What a card of theirs looks like, if it is one. Every field may be missing or wrong: the answer comes from elsewhere.
 */
type Told = Readonly<
  Partial<Record<'reference' | 'status' | 'id' | 'last4' | 'expires' | 'state' | 'reason' | 'url', unknown>>
>;

/**
 * The outcome, if the answer leaves no doubt about it: a card and a refusal are both proven, everything else is
 * unknown.
 */
export function resultOf({ status, body }: IssuerAnswer, reference: string, listed = ALL): IssueResult {
  const told = toldOf(body, reference);
  if (status !== 200 || told === null) return UNREADABLE;
  if (told.status === 'in_review') return { outcome: 'accepted' };
  if (told.status === 'refused') return refusalOf(told, listed);
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(String(told.expires)) ?? [];
  if (told.status !== 'issued' || !isText(told.id) || !isText(told.last4) || year === undefined) return UNREADABLE;
  return { outcome: 'done', issuerReference: told.id, last4: told.last4, expMonth: +month!, expYear: +year };
}

/**
 * The same for a card that was ordered before: only words about the order end it. And whether the issuer says that it
 * does not know the reference; a 404 alone proves nothing: a proxy makes one too.
 */
export function findingOf({ status, body }: IssuerAnswer, reference: string): FindCardResult {
  const isUnheardOf = status === 404 && toldOf(body, reference)?.reason === 'unknown_reference';
  if (isUnheardOf) return { outcome: 'not_known' };
  const result = resultOf({ status, body }, reference, OF_ORDER);
  return result.outcome === 'refused' ? { ...result, about: 'order' } : result;
}

export function updateOf({ status, body }: IssuerAnswer, reference: string, state: string): UpdateResult {
  const told = toldOf(body, reference);
  if (status === 409 && told !== null) return refusalOf(told, OF_ORDER);
  return status === 200 && told?.state === state ? { outcome: 'done' } : UNREADABLE;
}

/** Throws when there is no page. */
export function pageOf({ status, body }: IssuerAnswer, reference: string): Revealed {
  const url = toldOf(body, reference)?.url;
  if (status !== 200 || !isText(url)) throw new Error('the issuer shows no page');
  return { url };
}

/** Null: not about this card. */
const toldOf = (body: unknown, reference: string): Told | null =>
  typeof body === 'object' && body !== null && (body as Told).reference === reference ? (body as Told) : null;

function refusalOf({ reason }: Told, listed: Refusals): IssuerRefused | IssuerUnknown {
  const refusal = isText(reason) && Object.hasOwn(listed, reason) ? listed[reason]! : null;
  return refusal === null ? UNREADABLE : { outcome: 'refused', ...refusal, recovery: refusal.recovery as Recovery };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
