import type { DashboardSchemas, OperatorsApi } from '../../../api/dashboard-api';

export type Review = DashboardSchemas['OpenReview'];
export type ReviewKind = Review['kind'];

export const REVIEW_KINDS = [
  'purchase',
  'payment',
  'refund',
  'deposit',
  'card',
  'dispute',
  'customer',
] as const satisfies readonly ReviewKind[];

export const AGES = [
  { value: '1', label: 'an hour' },
  { value: '24', label: 'a day' },
  { value: '72', label: 'three days' },
  { value: '168', label: 'a week' },
] as const;

export const wordsOf = (text: string): string => text.replaceAll('_', ' ');

/** What a decision does, in words. */
const EFFECTS: Readonly<Record<string, string>> = {
  'purchase delivered': 'It was delivered: the wallet is debited.',
  'purchase not_delivered': 'It was not delivered: the wallet has its money back.',
  'purchase reversed': 'It is taken back: the wallet has its money back.',
  'payment accept_received': 'The wallet is credited with what came.',
  'payment accept_requested': 'The wallet is credited with what was asked for.',
  'payment refund_payer': 'Nothing is credited; the payer has the money back.',
  'payment failed': 'Nothing came: it fails.',
  'payment reversed': 'The payer has the money back, out of the wallet.',
  'refund successful': 'The payer has the money.',
  'refund failed': 'The payer does not have it: the wallet has it back.',
  'deposit accept_received': 'The wallet is credited with what came.',
  'deposit refund_payer': 'Nothing is credited; the payer has the money back.',
  'deposit returned': 'Nothing is credited; the payer has the money back by other means.',
  'deposit failed': 'Nothing came: it fails.',
  'card active': 'The issuer has made it: the card works, with its money on it.',
  'card failed': 'The issuer has not made it: the wallet has its money back.',
  'dispute won': 'The cardholder keeps the money.',
  'dispute lost': 'The cardholder does not have the money.',
  'dispute withdrawn': 'Nobody disputes it any more.',
  'customer verified': 'The cardholder is who they say.',
  'customer rejected': 'It could not be shown who the cardholder is.',
};

export const effectOf = (kind: ReviewKind, outcome: string): string =>
  outcome === 'unchanged' ? 'It stays as it is, and nobody waits any more.' : (EFFECTS[`${kind} ${outcome}`] ?? '');

export interface Decision {
  readonly outcome: string;
  readonly note: string;
  readonly wallet_id?: string;
  readonly tier?: number;
  readonly issuer_reference?: string;
  readonly last4?: string;
  readonly expiry?: string;
}

interface Decided {
  readonly settled?: boolean;
}

/** Tells the service; true: it is settled, else a second person must say the same. */
export async function decide(api: OperatorsApi, review: Review, decision: Decision): Promise<boolean> {
  const { kind, id, account_id, livemode } = review;
  const sent = { params: { path: { id } }, body: { account_id, livemode, ...decision } as never };
  const answers = {
    purchase: () => api.POST('/operators/reviews/purchases/{id}', sent),
    payment: () => api.POST('/operators/reviews/payments/{id}', sent),
    refund: () => api.POST('/operators/reviews/refunds/{id}', sent),
    deposit: () => api.POST('/operators/reviews/deposits/{id}', sent),
    card: () => api.POST('/operators/reviews/cards/{id}', sent),
    dispute: () => api.POST('/operators/reviews/disputes/{id}', sent),
    customer: () => api.POST('/operators/reviews/customers/{id}', sent),
  } satisfies Record<ReviewKind, () => Promise<unknown>>;
  const { data } = (await answers[kind]()) as { data?: Decided };
  return data?.settled === true;
}

/** What somebody decided, with what they named. */
interface Proposal {
  readonly outcome: string;
  readonly walletId: string;
  readonly card: { readonly last4: string; readonly expiry: string; readonly reference: string };
}

/** `accept_received into wal_…`, with a wallet; `active as 4242 11/2029 card_…`, with a card. */
export function proposalOf(said: string): Proposal {
  const [, outcome = said, last4 = '', expiry = '', reference = ''] = /^(active) as (\S+) (\S+) (.+)$/.exec(said) ?? [];
  const [word = '', walletId = ''] = outcome.split(' into ');
  return { outcome: word, walletId, card: { last4, expiry, reference } };
}

/** What others propose, newest of each person; two who say the same agree. */
export function proposalsOf({ decisions }: Review, mine: boolean): Review['decisions'] {
  const last = new Map(decisions.map((vote) => [vote.person, vote]));
  return [...last.values()].filter((vote) => vote.mine === mine);
}
