import { Amount, field, Nested, OneOf, PublicId, Text } from '../../core/http/fields';
import { DECLINE_REASONS, type DeclineReason } from '../cards/card-transaction.entity';
import { MESSAGE_KINDS, type MessageKind } from '../cards/issuer-messages';

const Pattern = (pattern: string, says: string, example: string, description: string) =>
  field({ type: 'string', pattern, maxLength: 4, example, description }, [
    { name: 'pattern', says, holds: (value) => typeof value === 'string' && new RegExp(pattern).test(value) },
  ]);

/** Who is paid. */
export class SimulatedMerchantDto {
  @Text(100, { example: 'Corner Shop' })
  name: string;

  @Pattern('^[0-9]{4}$', 'must be four digits', '5411', 'Category, ISO 18245.')
  mcc: string;

  @Pattern('^[A-Z]{2}$', 'must be two capital letters', 'NG', 'ISO 3166-1 alpha-2.')
  country: string;
}

export class SimulateCardDto {
  @OneOf(MESSAGE_KINDS, { description: 'What the card network does.' })
  kind: MessageKind;

  @Amount({
    optional: true,
    example: 1_250,
    description:
      'Minor units (cents). Needed but for a clearing, a void and a refund: without it they are of all that is left.',
  })
  amount?: number | null;

  @Nested(() => SimulatedMerchantDto, {
    optional: true,
    description: 'For an authorization and a decline; a shop of the sandbox by default.',
  })
  merchant?: SimulatedMerchantDto | null;

  @PublicId('ctx', { optional: true, description: 'The authorization that a clearing, a void or a refund is about.' })
  card_transaction_id?: string | null;

  @OneOf(DECLINE_REASONS, {
    optional: true,
    description: 'For a decline; `merchant_declined` by default.',
    example: 'merchant_declined',
  })
  decline_reason?: DeclineReason | null;
}
