import type { Schemas } from '../../api/public-api';

/** Somebody who does not exist, for test mode. */
export const SAMPLE_HOLDER: Schemas['CreateCustomer'] = {
  first_name: 'Ada',
  last_name: 'Obi',
  email: 'ada@example.com',
  phone: '+2348031234567',
  date_of_birth: '1990-04-21',
  address: { line1: '12 Marina Road', city: 'Lagos', state: 'Lagos', postal_code: '101241', country: 'NG' },
  identity: { type: 'passport', number: 'A01234567' },
};
