import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../src/core/errors/domain-error';
import type { Viewer } from '../../../src/core/resources/resources';
import { PhoneService } from '../../../src/modules/phones/phone.service';

/** A number that an account buys for, under the name that the account has for it. */
export interface Contact {
  /** E.164. */
  readonly phone: string;
  readonly name: string;
  readonly updatedAt: Date;
}

class NotAPhone extends DomainError {
  constructor() {
    super({
      code: 'invalid_phone_number',
      kind: 'malformed',
      title: 'Invalid phone number',
      detail: 'A contact is a phone number in E.164 form.',
    });
  }
}

const COLUMNS = 'phone, name, updated_at AS "updatedAt"';

@Injectable()
export class ContactsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly phones: PhoneService,
  ) {}

  /** Adds the contact or gives it another name. Throws `NotAPhone`. */
  async save({ accountId, livemode }: Viewer, written: string, name: string): Promise<Contact> {
    const { phone } = await this.phones.lookUp({ phone: written, livemode });
    if (phone === null) throw new NotAPhone();
    const [contact]: Contact[] = await this.dataSource.query(
      `INSERT INTO growth_contacts (account_id, livemode, phone, name) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT growth_contacts_pkey
         DO UPDATE SET name = excluded.name, updated_at = excluded.updated_at
       RETURNING ${COLUMNS}`,
      [accountId, livemode, phone, name],
    );
    return contact!;
  }

  /** By number, from behind `after`. */
  list({ accountId, livemode }: Viewer, after: string | null, take: number): Promise<Contact[]> {
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM growth_contacts
        WHERE account_id = $1 AND livemode = $2 AND phone > $3 ORDER BY phone LIMIT $4`,
      [accountId, livemode, after ?? '', take],
    );
  }
}
