import { isObject, isText, type UnknownOutcome, UNREADABLE } from '../../providers/answers';
import type { CardOrder, IssuerRefused } from '../../modules/cards/card-issuer';
import type { CompanyAnswer } from '../../providers/http';
import { sentenceOf, type Told } from './bridgecard';

// https://docs.bridgecard.co/reference/api-reference/cardholder. Bridgecard wants pictures, which are not here: a
// filter of `svc_payment_gateway` says where they are, or names a cardholder that was registered before.

/** What such a filter may set, all of it text. */
export interface CardholderOptions {
  /** Of a cardholder at Bridgecard: nobody is registered then. */
  readonly cardholder_id?: string;
  /** Public addresses of pictures. */
  readonly selfie_image?: string;
  readonly id_image?: string;
  /** Of Nigerians whose document is another one. */
  readonly bvn?: string;
  /** Of Ugandans and Kenyans. */
  readonly gender?: string;
  readonly house_no?: string;
}

export const refused = (code: string, message: string, recovery: IssuerRefused['recovery']): IssuerRefused => ({
  outcome: 'refused',
  code,
  message,
  recovery,
});

/** Where Bridgecard has cardholders without further ado, by ISO 3166-1. */
const COUNTRIES: Readonly<Record<string, string>> = { NG: 'Nigeria', GH: 'Ghana', KE: 'Kenya', UG: 'Uganda' };

interface Document {
  readonly type: string;
  /** Options that it cannot do without. */
  readonly needs: readonly (keyof CardholderOptions)[];
}

const NIGERIAN = ['id_image', 'bvn'] as const;
const GHANAIAN = ['id_image', 'selfie_image'] as const;
const NAMED = ['gender', 'selfie_image'] as const;

/** By country and our word for the document. */
export const DOCUMENTS: Readonly<Record<string, Document>> = {
  'NG bvn': { type: 'NIGERIAN_BVN_VERIFICATION', needs: ['selfie_image'] },
  'NG nin': { type: 'NIGERIAN_NIN', needs: NIGERIAN },
  'NG passport': { type: 'NIGERIAN_INTERNATIONAL_PASSPORT', needs: NIGERIAN },
  'NG voters_card': { type: 'NIGERIAN_PVC', needs: NIGERIAN },
  'NG drivers_license': { type: 'NIGERIAN_DRIVERS_LICENSE', needs: NIGERIAN },
  'GH national_id': { type: 'GHANIAN_GHANA_CARD', needs: GHANAIAN },
  'GH voters_card': { type: 'GHANIAN_VOTERS_ID', needs: GHANAIAN },
  'GH drivers_license': { type: 'GHANIAN_DRIVERS_LICENSE', needs: GHANAIAN },
  'GH passport': { type: 'GHANIAN_INTERNATIONAL_PASSPORT', needs: GHANAIAN },
  'UG national_id': { type: 'UGANDA_NATIONAL_ID', needs: NAMED },
  'UG voters_card': { type: 'UGANDA_VOTERS_ID', needs: NAMED },
  'UG passport': { type: 'UGANDA_PASSPORT', needs: NAMED },
  'UG drivers_license': { type: 'UGANDA_DRIVERS_LICENSE', needs: NAMED },
  'KE voters_card': { type: 'KENYAN_VOTERS_ID', needs: NAMED },
};

const COUNTRY = refused('country_not_supported', 'The issuer has no cardholders in this country.', 'caller_must_fix');
const DOCUMENT = refused('document_not_supported', 'The issuer does not take this document.', 'caller_must_fix');
const PICTURES = refused(
  'cardholder_documents_needed',
  'The issuer needs more of the cardholder than is known here.',
  'account_must_act',
);

/** Only the options that are text. */
export function optionsOf(options: CardOrder['options']): CardholderOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => isText(value)));
}

/** What registers the cardholder of an order; a refusal where something is missing that Bridgecard wants. */
export function registrationOf({ reference, cardholder, options }: CardOrder): object | IssuerRefused {
  const { firstName, lastName, email, phone, address, identity } = cardholder;
  const country = COUNTRIES[address.country];
  if (country === undefined) return COUNTRY;
  const key = `${address.country} ${identity.type}`;
  if (!Object.hasOwn(DOCUMENTS, key)) return DOCUMENT;
  const document = DOCUMENTS[key]!;
  const given = optionsOf(options);
  if (document.needs.some((name) => given[name] === undefined)) return PICTURES;
  const pictures = Object.fromEntries(document.needs.map((name) => [name, given[name]]));
  const number = identity.type === 'bvn' ? { bvn: identity.number } : { id_no: identity.number };
  const named = { first_name: firstName, last_name: lastName, date_of_birth: cardholder.dateOfBirth };
  return {
    first_name: firstName,
    last_name: lastName,
    address: {
      address: address.line1,
      city: address.city,
      state: address.state,
      country,
      postal_code: address.postal_code,
      ...(given.house_no !== undefined && { house_no: given.house_no }),
    },
    phone: phone.replace(/^\+/, ''),
    email_address: email,
    identity: { id_type: document.type, ...number, ...pictures, ...(document.needs === NAMED && named) },
    meta_data: { reference },
  };
}

const REJECTED = refused('cardholder_rejected', 'The issuer does not take the cardholder.', 'none');

/** Why no card is made for a cardholder now; null: one may be. */
export function standingOf(holder: Told): IssuerRefused | { outcome: 'accepted' } | UnknownOutcome | null {
  const { is_active: isActive, is_id_verified: isVerified, identity_details: identity } = holder;
  if (isObject(identity) && identity.blacklisted === true) return REJECTED;
  if (isVerified === true) return isActive === true ? null : UNREADABLE;
  // Also whoever failed: nothing that was read says how these stand.
  return isVerified === false ? { outcome: 'accepted' } : UNREADABLE;
}

const NOT_OURS = refused('issuer_account_unusable', 'The issuer makes no cards at the moment.', 'retry_later');

type Sentences = readonly (readonly [sentence: RegExp, IssuerRefused])[];

/** Why nobody was registered, in Bridgecard's sentences, which are all that it has. Of status 400. */
export const OF_CARDHOLDER: Sentences = [
  [
    /^invalid first ?name\b/i,
    refused('invalid_cardholder_name', 'The issuer does not take the name of the cardholder.', 'caller_must_fix'),
  ],
  [
    /^the cardholders? name doesn't match\b/i,
    refused('cardholder_name_mismatch', 'The name is not that of the document.', 'caller_must_fix'),
  ],
  [
    /^invalid bvn\b/i,
    refused('invalid_identity_number', 'The issuer does not take the number of the document.', 'caller_must_fix'),
  ],
  [/^invalid state\b/i, refused('invalid_address', 'The issuer does not take the address.', 'caller_must_fix')],
];

/** The same of cards. */
export const OF_CARD: Sentences = [
  [/^this card type is currently unavailable\b/i, NOT_OURS],
  [/^please top up your usd issuing wallet\b/i, NOT_OURS],
  [
    /^this card can only hold a maximum balance\b/i,
    refused('card_balance_too_high', 'The card may not hold as much.', 'caller_must_fix'),
  ],
];

/** Somebody has a cardholder with this document already. */
export const isTaken = (answer: CompanyAnswer): boolean =>
  answer.status === 400 && /^a cardholder already exists\b/i.test(sentenceOf(answer) ?? '');

/** Of a request that would make something. Only what is proven not to have begun is a refusal. */
export function refusalOf(answer: CompanyAnswer, sentences: Sentences): IssuerRefused | UnknownOutcome {
  const sentence = sentenceOf(answer);
  if (sentence === null) return UNREADABLE;
  // The token is wrong, or the account is not set up or has no money: nothing was done. Said to an order only.
  if ([401, 402, 403].includes(answer.status)) return NOT_OURS;
  if (answer.status === 451) return REJECTED;
  if (answer.status !== 400) return UNREADABLE;
  return sentences.find(([known]) => known.test(sentence))?.[1] ?? UNREADABLE;
}
