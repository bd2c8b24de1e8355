import { Inject, Injectable } from '@nestjs/common';
import { type Of, secret, Settings, url } from '../../core/config/settings';
import {
  type CardIssuer,
  type CardOrder,
  type CardRef,
  type FindCardResult,
  type IssueResult,
  type IssuerRefused,
  IssuesCards,
  type IssuerState,
  type Revealed,
  type UpdateResult,
} from '../../modules/cards/card-issuer';
import { isText, type UnknownOutcome } from '../../providers/answers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';

/** Absent until somebody has signed a contract: then nothing here is registered. */
export const CARDLAB = Settings.of('cardlab', {
  url: url({ about: 'Address of the imaginary card issuer of the example (https://issuer.example.com/v1/).' }),
  key: secret({ about: 'Its key.' }),
});

/** Issues cards at an imaginary issuer. It makes one card per reference: a repetition is answered alike. */
@Injectable()
@IssuesCards({ name: 'example', mode: 'live', when: CARDLAB })
export class ExampleIssuer implements CardIssuer {
  private readonly outside: Outside;

  constructor(@Inject(CARDLAB) { url, key }: Of<typeof CARDLAB>, http: ProviderHttp) {
    this.outside = http.to({ name: 'cardlab', url, headers: { authorization: `Bearer ${key}` } });
  }

  async issue({ reference, brand, nameOnCard, cardholder }: CardOrder, signal: AbortSignal): Promise<IssueResult> {
    const { identity, address, ...person } = cardholder;
    const body = { reference, brand, name: nameOnCard, person, address, document: identity };
    return resultOf(await this.outside.ask({ method: 'POST', path: 'cards', json: body, signal }), reference);
  }

  async find({ reference }: CardRef, signal: AbortSignal): Promise<FindCardResult> {
    return findingOf(await this.outside.ask({ path: pathOf(reference), signal }), reference);
  }

  async setState({ reference }: CardRef, state: IssuerState, signal: AbortSignal): Promise<UpdateResult> {
    const path = `${pathOf(reference)}/state`;
    return updateOf(await this.outside.ask({ method: 'PUT', path, json: { state }, signal }), reference, state);
  }

  /** A page of theirs that shows the card once. */
  async reveal({ reference }: CardRef, signal: AbortSignal): Promise<Revealed> {
    const path = `${pathOf(reference)}/page`;
    return pageOf(await this.outside.ask({ method: 'POST', path, json: {}, signal }), reference);
  }
}

const pathOf = (reference: string): string => `cards/${encodeURIComponent(reference)}`;

type Refusals = Readonly<Record<string, Omit<IssuerRefused, 'outcome'>>>;

/** Reasons that the issuer's manual gives for a refusal. What is not listed is no refusal. */
const OF_ORDER: Refusals = {
  document_rejected: {
    code: 'identity_not_verified',
    message: 'The issuer could not verify the document.',
    recovery: 'caller_must_fix',
  },
  on_list: { code: 'cardholder_rejected', message: 'The issuer does not take the cardholder.', recovery: 'none' },
  card_closed: { code: 'card_terminated', message: 'The card is terminated at the issuer.', recovery: 'none' },
};

/** With those about our account: they end an order which is being sent, and say nothing of one that was sent before. */
const REFUSALS: Refusals = {
  ...OF_ORDER,
  account_suspended: {
    code: 'issuer_account_suspended',
    message: 'The issuer makes no cards at the moment.',
    recovery: 'retry_later',
  },
};

const UNREADABLE: UnknownOutcome = { outcome: 'unknown', code: 'unreadable_answer' };

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
function resultOf({ status, body }: CompanyAnswer, reference: string, listed = REFUSALS): IssueResult {
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
function findingOf({ status, body }: CompanyAnswer, reference: string): FindCardResult {
  const isUnheardOf = status === 404 && toldOf(body, reference)?.reason === 'unknown_reference';
  if (isUnheardOf) return { outcome: 'not_known' };
  const result = resultOf({ status, body }, reference, OF_ORDER);
  return result.outcome === 'refused' ? { ...result, about: 'order' } : result;
}

function updateOf({ status, body }: CompanyAnswer, reference: string, state: string): UpdateResult {
  const told = toldOf(body, reference);
  if (status === 409 && told !== null) return refusalOf(told, OF_ORDER);
  return status === 200 && told?.state === state ? { outcome: 'done' } : UNREADABLE;
}

/** Throws when there is no page. */
function pageOf({ status, body }: CompanyAnswer, reference: string): Revealed {
  const url = toldOf(body, reference)?.url;
  if (status !== 200 || !isText(url)) throw new Error('the issuer shows no page');
  return { url };
}

/** Null: not about this card. */
const toldOf = (body: unknown, reference: string): Told | null =>
  typeof body === 'object' && body !== null && (body as Told).reference === reference ? (body as Told) : null;

function refusalOf({ reason }: Told, listed: Refusals): IssuerRefused | UnknownOutcome {
  const refusal = isText(reason) && Object.hasOwn(listed, reason) ? listed[reason]! : null;
  return refusal === null ? UNREADABLE : { outcome: 'refused', ...refusal };
}
