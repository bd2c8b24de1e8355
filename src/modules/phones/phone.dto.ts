import { ApiProperty } from '@nestjs/swagger';
import type { PhoneFacts } from './phone.service';
import { Country, Phone } from '../../core/http/fields';
import { MayBeginWithPlus } from '../../core/http/query-fields';

export class PhoneQuery {
  @MayBeginWithPlus()
  @Phone()
  phone: string;

  @Country({ optional: true, description: 'ISO 3166-1 alpha-2. Needed for a number in local form.' })
  country?: string;
}

/** What is known about a phone number. */
export class PhoneLookupDto {
  @ApiProperty({ enum: ['phone_lookup'] })
  object: 'phone_lookup';
  /** In E.164 form; null when there can be no such mobile number. @example "+2348031234567" */
  phone: string | null;
  valid: boolean;
  /** ISO 3166-1 alpha-2. @example "NG" */
  country: string | null;
  /** Null when it is not known. @example "mtn" */
  network: string | null;
  @ApiProperty({
    type: String,
    enum: ['prefix', 'porting', null],
    nullable: true,
    description: 'Known by the range of the number, or because it was ported.',
  })
  source: PhoneFacts['source'];
  @ApiProperty({
    type: String,
    enum: ['high', 'medium', null],
    nullable: true,
    description: '`medium`: the number may have been ported to another network.',
  })
  confidence: PhoneFacts['confidence'];

  static of(this: void, facts: PhoneFacts): PhoneLookupDto {
    return { object: 'phone_lookup', ...facts };
  }
}
