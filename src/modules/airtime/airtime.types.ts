import type { NewPurchase } from '../purchases/running';
import type { PhoneQuestion } from './phone.service';

/** An airtime purchase as the caller asks for it. */
export interface WantedAirtime {
  /** Minor units of the network's currency. */
  readonly amount: bigint;
  readonly recipient: Omit<PhoneQuestion, 'livemode'>;
  /** What does not depend on the product. */
  readonly terms: Pick<
    NewPurchase,
    | 'walletId'
    | 'reference'
    | 'metadata'
    | 'allowDuplicate'
    | 'deliverBy'
    | 'onInsufficientFunds'
    | 'scenario'
    | 'waitMs'
  >;
}
