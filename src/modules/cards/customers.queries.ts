import { bulkInsert, type Write } from '../../core/database/bulk';
import type { Customer } from './customer.entity';

const insertCustomer = bulkInsert('customers', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  date_of_birth: 'text',
  address: 'jsonb',
  identity_type: 'text',
  identity_number: 'bytea',
  identity_masked: 'text',
  metadata: 'jsonb',
  request_id: 'uuid?',
  updated_at: 'timestamptz',
});

export const customerWrite = (c: Readonly<Customer>): Write =>
  insertCustomer.row({
    account_id: c.accountId,
    livemode: c.livemode,
    id: c.id,
    first_name: c.firstName,
    last_name: c.lastName,
    email: c.email,
    phone: c.phone,
    date_of_birth: c.dateOfBirth,
    address: c.address,
    identity_type: c.identityType,
    identity_number: c.identityNumber,
    identity_masked: c.identityMasked,
    metadata: c.metadata,
    request_id: c.requestId,
    updated_at: c.updatedAt,
  });
