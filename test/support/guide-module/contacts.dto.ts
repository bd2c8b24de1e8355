import { ApiProperty } from '@nestjs/swagger';
import { Label } from '../../../src/core/http/fields';
import { ListOf } from '../../../src/core/http/list.dto';
import type { Contact } from './contacts.service';

export class SaveContactDto {
  @Label({ example: 'Ada' })
  name: string;
}

/** A number that you buy for. */
export class ContactDto {
  @ApiProperty({ enum: ['contact'] })
  object: 'contact';
  /** E.164. @example "+2348031234567" */
  phone: string;
  /** @example "Ada" */
  name: string;
  livemode: boolean;
  updated_at: Date;

  static of(this: void, { phone, name, updatedAt }: Contact, livemode: boolean): ContactDto {
    return { object: 'contact', phone, name, livemode, updated_at: updatedAt };
  }
}

export class ContactListDto extends ListOf(ContactDto) {}
