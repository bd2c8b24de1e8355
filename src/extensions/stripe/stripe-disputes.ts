import { timeOf } from '../../core/http/ids';
import type {
  DisputeOrder,
  DisputeReason,
  DisputeRef,
  DisputeResult,
  FindDisputeResult,
  IssuerRefused,
  UpdateResult,
} from '../../modules/cards/card-issuer';
import { isObject, isReference } from '../../providers/answers';
import type { CompanyAnswer } from '../../providers/http';
import { objectOf, type Params, referenceOf, type Stripe, type Told, UNREADABLE } from './stripe';

// https://docs.stripe.com/issuing/purchases/disputes, https://docs.stripe.com/api/issuing/disputes, read on 2026-11-25.
// A dispute is about a captured transaction (ipi_…), and is a draft until it is submitted. Then there is no way back.

/** Stripe's word for each reason: also the name of the field that its evidence stands in. */
export const REASONS: Readonly<Record<DisputeReason, string>> = {
  fraudulent: 'fraudulent',
  not_received: 'not_received',
  duplicate: 'duplicate',
  incorrect_amount: 'other',
  cancelled: 'canceled',
  defective: 'merchandise_not_as_described',
  other: 'other',
};

const refused = (code: string, message: string): IssuerRefused => ({
  outcome: 'refused',
  code,
  message,
  recovery: 'none',
});

const NOTHING_CAPTURED = refused('nothing_captured', 'The issuer knows of no such payment that was captured.');
const SEVERAL = refused('several_captures', 'The payment was captured in parts: dispute it at the issuer.');
const SUBMITTED = refused('dispute_submitted', 'The issuer has submitted the dispute: it cannot be taken back.');

/** What is said of a dispute that Stripe has. */
type Standing = Exclude<DisputeResult, IssuerRefused>;

const pathOf = (id: string): string => `issuing/disputes/${encodeURIComponent(id)}`;

export async function disputeAt(stripe: Stripe, order: DisputeOrder, signal: AbortSignal): Promise<DisputeResult> {
  const { reference, card, amount, reason, evidence } = order;
  const transaction = await capturedBy(stripe, order.transaction.issuerReference, signal);
  if (typeof transaction === 'object') return transaction;
  const field = REASONS[reason];
  const params: Params = {
    transaction,
    amount,
    evidence: { reason: field, [field]: { explanation: [evidence.text, ...evidence.links].join('\n') } },
    metadata: { reference, card: card.reference },
  };
  const made = objectOf(await stripe.post('issuing/disputes', params, { key: reference, signal }), 'issuing.dispute');
  if (made === null || referenceOf(made) !== reference) return UNREADABLE;
  return submitted(stripe, made, signal);
}

export async function disputeOfReference(
  stripe: Stripe,
  { reference, issuerReference }: DisputeRef,
  signal: AbortSignal,
): Promise<FindDisputeResult> {
  if (issuerReference === null) {
    const search = await stripe.search('issuing/disputes', reference, timeOf(reference), signal);
    if (search === 'unreadable') return UNREADABLE;
    return search === 'none' ? { outcome: 'not_known' } : submitted(stripe, search.found, signal);
  }
  const told = objectOf(await stripe.get(pathOf(issuerReference), signal), 'issuing.dispute');
  return told === null || referenceOf(told) !== reference ? UNREADABLE : submitted(stripe, told, signal);
}

/** A draft comes to nothing by itself. Of one that was submitted Stripe has no way back. */
export async function withdrawAt(
  stripe: Stripe,
  { reference, issuerReference }: DisputeRef,
  signal: AbortSignal,
): Promise<UpdateResult> {
  if (issuerReference === null) return UNREADABLE;
  const told = objectOf(await stripe.get(pathOf(issuerReference), signal), 'issuing.dispute');
  if (told === null || referenceOf(told) !== reference) return UNREADABLE;
  if (told.status === 'unsubmitted' || told.status === 'expired') return { outcome: 'done' };
  return told.status === 'submitted' || told.status === 'won' || told.status === 'lost' ? SUBMITTED : UNREADABLE;
}

/**
 * A draft is handed on to the network, once. Where that takes more evidence than we have it stays a draft, for a person
 * to complete in Stripe's Dashboard.
 */
async function submitted(stripe: Stripe, dispute: Told, signal: AbortSignal): Promise<Standing> {
  if (dispute.status !== 'unsubmitted') return standingOf(dispute);
  const path = pathOf(dispute.id as string);
  const answer = await stripe.post(`${path}/submit`, {}, { signal });
  // Evidence is missing; or it was submitted before, and what made it was answered as it was then.
  const told = objectOf(answer.status === 400 ? await stripe.get(path, signal) : answer, 'issuing.dispute');
  return told !== null && referenceOf(told) === referenceOf(dispute) ? standingOf(told) : UNREADABLE;
}

/** How a dispute stands. What it credits meanwhile Stripe does not say of the dispute. */
export function standingOf({ id, status, amount }: Told): Standing {
  if (!isReference(id)) return UNREADABLE;
  if (status === 'unsubmitted') return { outcome: 'accepted' };
  if (status === 'submitted') return { outcome: 'under_review', issuerReference: id, provisionalCredit: null };
  if (status === 'won' && typeof amount === 'number' && amount > 0)
    return { outcome: 'won', issuerReference: id, amount: BigInt(amount) };
  // Expired: it was never submitted, and cannot be any more.
  return status === 'lost' || status === 'expired' ? { outcome: 'lost', issuerReference: id } : UNREADABLE;
}

/** The id of what was captured: ours is mostly that of the authorization. */
async function capturedBy(
  stripe: Stripe,
  reference: string | null,
  signal: AbortSignal,
): Promise<string | DisputeResult> {
  if (reference === null) return NOTHING_CAPTURED;
  if (reference.startsWith('ipi_')) return reference;
  const [authorization] = reference.split(':');
  return captureOf(await stripe.get(`issuing/authorizations/${encodeURIComponent(authorization!)}`, signal));
}

export function captureOf(answer: CompanyAnswer): string | DisputeResult {
  const told = objectOf(answer, 'issuing.authorization');
  if (told === null || !Array.isArray(told.transactions)) return UNREADABLE;
  const captures = told.transactions.filter((one) => isObject(one) && one.type === 'capture');
  if (captures.length === 0) return NOTHING_CAPTURED;
  const { id } = captures[0] as { id?: unknown };
  if (captures.length > 1) return SEVERAL;
  return isReference(id) ? id : UNREADABLE;
}
