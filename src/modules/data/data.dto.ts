import { Amount, Country, NetworkName, OneOf, Phone, Text } from '../../core/http/fields';
import { MISMATCH_RULES, type MismatchRule } from '../airtime/phone.service';
import { commonPurchase, PurchaseRequestDto, type PurchaseTermsOfRequest } from '../purchases/purchase-request.dto';
import type { WantedData } from './data.service';

export class BuyDataDto extends PurchaseRequestDto {
  @Phone()
  phone: string;

  @Country({ optional: true, description: "ISO 3166-1 alpha-2, of a number in local form. Without it: the plan's." })
  country?: string | null;

  @Text(64, { example: 'mtn-sme-1gb-1m', description: '`plan_code` of GET /v4/data/plans.' })
  plan_code: string;

  @Amount({
    optional: true,
    example: 59_000,
    description: 'Minor units. Refuse the purchase unless the plan has this price.',
  })
  amount?: number | null;

  @NetworkName({ optional: true, description: "Slug or alias. Refuse the purchase unless it is the plan's network." })
  network?: string | null;

  @OneOf(MISMATCH_RULES, {
    optional: true,
    description:
      'What to do with a number whose range is of another network than the plan. Only `use_given` sells the plan to it: the number may have been ported.',
  })
  on_network_mismatch?: MismatchRule | null;
}

export const toWantedData = (dto: BuyDataDto, terms: PurchaseTermsOfRequest): WantedData => ({
  planCode: dto.plan_code,
  price: dto.amount === undefined || dto.amount === null ? null : BigInt(dto.amount),
  phone: dto.phone,
  country: dto.country ?? null,
  network: dto.network ?? null,
  onNetworkMismatch: dto.on_network_mismatch ?? 'reject',
  terms: commonPurchase(dto, terms),
});
