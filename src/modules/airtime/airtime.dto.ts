import { ApiProperty } from '@nestjs/swagger';
import { Amount, Country, NetworkName, OneOf, Phone, PublicId } from '../../core/http/fields';
import { ListOf } from '../../core/http/list.dto';
import { CURRENCIES, type Currency, toJsonNumber } from '../../core/money/money';
import { commonPurchase, PurchaseRequestDto, type PurchaseTermsOfRequest } from '../purchases/purchase-request.dto';
import type { OfferedNetwork, WantedAirtime } from './airtime.service';
import { DetailsOf, PhonePurchaseDetails } from '../transactions/transaction-details.dto';
import { MISMATCH_RULES, type MismatchRule } from '../phones/phone.service';

export class BuyAirtimeDto extends PurchaseRequestDto {
  @Phone({ unless: 'beneficiary_id' })
  phone?: string | null;

  @PublicId('ben', {
    optional: true,
    description: 'One of `GET /v4/beneficiaries` of the kind `phone`, instead of `phone`.',
  })
  beneficiary_id?: string | null;

  @Country({
    optional: true,
    unless: 'beneficiary_id',
    description:
      "ISO 3166-1 alpha-2. Without it a number in local form is one of the country of the paying wallet's currency.",
  })
  country?: string | null;

  @Amount({ description: "Minor units of the network's currency; `min_amount` to `max_amount` of the network." })
  amount: number;

  @NetworkName({
    optional: true,
    description:
      'One of `GET /v4/airtime/networks`. Without it: that of the beneficiary, or whose range the number is from.',
  })
  network?: string | null;

  @OneOf(MISMATCH_RULES, {
    optional: true,
    description: "What to do when the number's range says another network than `network`.",
  })
  on_network_mismatch?: MismatchRule | null;
}

export const toWantedAirtime = (dto: BuyAirtimeDto, terms: PurchaseTermsOfRequest): WantedAirtime => ({
  amount: BigInt(dto.amount),
  recipient: dto,
  beneficiaryId: dto.beneficiary_id ?? null,
  terms: commonPurchase(dto, terms),
});

/** What `details` of an airtime purchase hold. */
@DetailsOf('airtime_purchase')
export class AirtimeDetailsDto extends PhonePurchaseDetails {
  /** What was asked for, where less was delivered: `amount` is what was delivered. Minor units. @example 50000 */
  requested_amount?: number;
  /** What was held above the price of what was delivered, and went back. Minor units. @example 24375 */
  released_amount?: number;
}

export class NetworksQuery {
  @Country({ optional: true, description: 'ISO 3166-1 alpha-2. Without it: the networks of all countries.' })
  country?: string;
}

/** A mobile network whose airtime is sold. Amounts in minor units. */
export class NetworkDto {
  @ApiProperty({ enum: ['network'] })
  object: 'network';
  /** What a purchase calls it. @example "mtn" */
  slug: string;
  /** @example "MTN Nigeria" */
  name: string;
  /** ISO 3166-1 alpha-2. @example "NG" */
  country: string;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  /** The smallest purchase. @example 5000 */
  min_amount: number;
  /** The largest purchase. @example 5000000 */
  max_amount: number;
  /** Off the price, in basis points of the amount. @example 250 */
  commission_bps: number;
  /** A purchase would reach a provider now. */
  available: boolean;
  /** What the operator has to say about the network now. */
  status_message: string | null;

  static of(this: void, { network, isAvailable }: OfferedNetwork): NetworkDto {
    return {
      object: 'network',
      slug: network.slug,
      name: network.name,
      country: network.country,
      currency: network.currency,
      min_amount: toJsonNumber(network.minAmount),
      max_amount: toJsonNumber(network.maxAmount),
      commission_bps: network.commissionBps,
      available: isAvailable,
      status_message: network.statusMessage,
    };
  }
}

export class NetworkListDto extends ListOf(NetworkDto) {}
