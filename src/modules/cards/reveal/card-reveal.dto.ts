import { ApiProperty } from '@nestjs/swagger';
import { encodeId, timeOf } from '../../../core/http/ids';
import type { CardReveal } from './card-reveals.service';

/** A link for a person: it shows number, expiry and CVV once, within a minute. */
export class CardRevealDto {
  @ApiProperty({ enum: ['card_reveal'] })
  object: 'card_reveal';
  /** @example "crd_01kabcdefghjkmnpqrstvwxyz0" */
  card_id: string;
  /** Open it where the cardholder looks, not on a server. @example "https://api.example.com/cards/reveal/Jx3…" */
  url: string;
  expires_at: Date;
  livemode: boolean;
  created_at: Date;

  static of({ id, card, token, expiresAt }: CardReveal, baseUrl: string): CardRevealDto {
    return {
      object: 'card_reveal',
      card_id: encodeId('crd', card.id),
      url: `${baseUrl}/cards/reveal/${token}`,
      expires_at: expiresAt,
      livemode: card.livemode,
      created_at: timeOf(id),
    };
  }
}
