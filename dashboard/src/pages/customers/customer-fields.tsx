import { NativeSelect, TextInput } from '@mantine/core';
import type { Schemas } from '../../api/public-api';
import { useMode } from '../../ui/use-mode';
import { SAMPLE_HOLDER } from '../cards/sample-holder';

const { address: ADDRESS, identity: IDENTITY, ...PERSON } = SAMPLE_HOLDER;

const FIELDS = [
  ['first_name', 'First name', PERSON.first_name],
  ['last_name', 'Last name', PERSON.last_name],
  ['email', 'E-mail', PERSON.email],
  ['phone', 'Phone (E.164)', PERSON.phone],
  ['date_of_birth', 'Date of birth', PERSON.date_of_birth],
  ['line1', 'Street', ADDRESS.line1],
  ['city', 'City', ADDRESS.city],
  ['state', 'State', ADDRESS.state],
  ['postal_code', 'Postal code', ADDRESS.postal_code],
  ['country', 'Country (two letters)', ADDRESS.country],
] as const;

export const DOCUMENTS = [
  'passport',
  'national_id',
  'drivers_license',
  'voters_card',
  'bvn',
  'nin',
  'ssn',
] as const satisfies readonly Schemas['Identity']['type'][];

const LETTERS = new Set(['bvn', 'nin', 'ssn']);
export const documentText = (type: string): string =>
  LETTERS.has(type) ? type.toUpperCase() : type.replaceAll('_', ' ');

type Fields = Readonly<Record<string, string>>;

/** Who somebody is. In test mode the fields begin with somebody who does not exist. */
export function CustomerFields({ known }: { known?: Schemas['Customer'] }) {
  const mode = useMode();
  const values: Fields | undefined = known && { ...textsOf(known), ...textsOf(known.address) };
  return FIELDS.map(([name, label, sample]) => (
    <TextInput
      key={name}
      name={name}
      label={label}
      type={name === 'date_of_birth' ? 'date' : 'text'}
      defaultValue={values?.[name] ?? (mode === 'test' ? sample : '')}
      required
    />
  ));
}

const textsOf = (of: object): Fields =>
  Object.fromEntries(Object.entries(of).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** By which document they are known. */
export function DocumentFields() {
  const mode = useMode();
  return (
    <>
      <NativeSelect
        name="document"
        label="Document"
        data={DOCUMENTS.map((value) => ({ value, label: documentText(value) }))}
      />
      <TextInput
        name="number"
        label="Document number"
        description="Kept sealed; only its end is shown afterwards."
        defaultValue={mode === 'test' ? IDENTITY.number : ''}
        autoComplete="off"
        required
      />
    </>
  );
}

/** What the fields say of a person, without their document. */
export const personOf = (fields: Fields): Omit<Schemas['CreateCustomer'], 'identity'> => {
  const of = (name: string) => fields[name] ?? '';
  return {
    first_name: of('first_name'),
    last_name: of('last_name'),
    email: of('email'),
    phone: of('phone'),
    date_of_birth: of('date_of_birth'),
    address: {
      line1: of('line1'),
      city: of('city'),
      state: of('state'),
      postal_code: of('postal_code'),
      country: of('country').toUpperCase(),
    },
  };
};

export const documentOf = ({ document = '', number = '' }: Fields): Schemas['Identity'] => ({
  type: DOCUMENTS.find((known) => known === document) ?? 'passport',
  number,
});
