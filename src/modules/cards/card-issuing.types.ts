import type { Caller } from '../../core/http/caller';
import type { Likeness, RequestClaim } from '../../core/idempotency/claim';
import type { Priced } from '../pricing/fees.service';
import type { TransactionRecord } from '../transactions/transactions.service';
import type { IssuerChoice } from './card-terms.service';
import type { Card } from './card.entity';
import type { NewCard } from './cards.types';
import type { Customer } from './customer.entity';

/** Everything that is known of a card before it is written. */
export interface AgreedCard {
  readonly caller: Caller;
  readonly order: NewCard;
  readonly request: RequestClaim;
  readonly likeness: Likeness | null;
  readonly customer: Customer;
  readonly walletId: string;
  readonly price: Priced;
  readonly issuer: IssuerChoice;
  /** Of the account's clock. */
  readonly now: Date;
}

/** A card that is under way, with the record of the money that it costs. */
export interface IssuingCard {
  readonly card: Card;
  readonly transaction: TransactionRecord;
}
