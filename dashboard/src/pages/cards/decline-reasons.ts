import type { Schemas } from '../../api/public-api';

type Reason = NonNullable<Schemas['CardTransaction']['decline_reason']>;

/** Why a merchant was refused, and what helps. Total: a reason without words does not compile. */
export const DECLINES: Readonly<Record<Reason, readonly [why: string, then: string]>> = {
  insufficient_funds: ['The card had less available.', 'Load the card, then have the merchant try again.'],
  card_frozen: ['The card was frozen.', 'Unfreeze it, if it is to pay.'],
  card_blocked: ['The card was blocked by an operator.', 'Ask whoever runs the service why.'],
  card_expired: ['The card had expired.', 'Issue another one; what is on this one can be taken back.'],
  card_terminated: ['The card was terminated.', 'Issue another one, and give the merchant its number.'],
  card_not_active: ['The card was not active yet, or never issued.', 'Wait until it is active.'],
  spending_limit: ['It would have passed a limit of the card.', 'Raise or remove the limit on the page of the card.'],
  mcc_blocked: ['The card may not pay merchants of this category.', 'Change the categories on the page of the card.'],
  country_blocked: ['The card may not pay in this country.', 'Change the countries on the page of the card.'],
  merchant_declined: ['The merchant refused it.', 'Ask the merchant; nothing is wrong with the card.'],
  issuer_declined: ['The issuer refused it.', 'Try again later, or ask whoever runs the service.'],
  endpoint_declined: ['Your own authorization endpoint said no.', 'Its reason is below; it is your rule to change.'],
  endpoint_unavailable: [
    'Your own authorization endpoint did not answer in time, and its default is to decline.',
    'See whether it is up and answers within two seconds.',
  ],
};
