import { Amount, Country, NetworkName, OneOf, Phone } from '../../core/http/fields';
import { commonPurchase, PurchaseRequestDto, type PurchaseTermsOfRequest } from '../purchases/purchase-request.dto';
import type { WantedAirtime } from './airtime.types';
import { MISMATCH_RULES, type MismatchRule } from './phone.service';

export class BuyAirtimeDto extends PurchaseRequestDto {
  @Phone()
  phone: string;

  @Country({
    optional: true,
    description:
      "ISO 3166-1 alpha-2. Without it a number in local form is one of the country of the paying wallet's currency.",
  })
  country?: string | null;

  @Amount({ description: "Minor units of the network's currency; `min_amount` to `max_amount` of the network." })
  amount: number;

  @NetworkName({
    optional: true,
    description: 'One of `GET /v4/airtime/networks`. Without it: the network whose range the number is from.',
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
  terms: commonPurchase(dto, terms),
});
