import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { NotSent } from '../../api/problem';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi, useMode } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { useWalletChoice } from '../../ui/use-wallets';
import { WalletPicker } from '../../ui/wallet-picker';
import { SAMPLE_HOLDER } from './sample-holder';

const { address: ADDRESS, identity: IDENTITY, ...PERSON } = SAMPLE_HOLDER;

/** What cards are loaded from. */
const DOLLARS = { currency: 'USD', status: 'active' } as const;

/** In test mode the fields begin with somebody who does not exist. */
const HOLDER = [
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
  ['passport', 'Passport number', IDENTITY.number],
] as const;

export function IssueForm({ onMade }: { onMade: () => void }) {
  const mode = useMode();
  const api = useApi();
  const { list, wallet, pick } = useWalletChoice(DOLLARS);
  const issue = useSending(
    'card',
    async (fields: Record<string, string>, key) =>
      bodyOf(api.POST('/v4/cards/issue', { params: { header: { 'Idempotency-Key': key } }, body: issueBody(fields) })),
    ({ status }) => `The card is ${status}.`,
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    issue.mutate(fieldsOf(event.currentTarget), { onSuccess: onMade });
  }
  if (list.total === 0)
    return <Text>A card is loaded from a USD wallet. Open one under Wallets, and put money in, first.</Text>;
  return (
    <form onSubmit={submit}>
      <Stack>
        <WalletPicker label="Loaded from" name="wallet" wanted={DOLLARS} picked={wallet} onPick={pick} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput name="amount" label="First load (USD)" defaultValue="25" inputMode="decimal" required />
          <TextInput name="label" label="Label" />
          {HOLDER.map(([name, label, sample]) => (
            <TextInput key={name} name={name} label={label} defaultValue={mode === 'test' ? sample : ''} required />
          ))}
        </SimpleGrid>
        <ProblemAlert error={list.error} />
        <SendingAlert sending={issue} onDone={onMade} />
        <Group justify="flex-end">
          <Button type="submit" {...issue.button}>
            Issue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function issueBody(fields: Record<string, string>): Schemas['IssueCard'] {
  const of = (name: string) => fields[name] ?? '';
  const amount = toMinor(of('amount'), 'USD');
  if (amount === null) throw new NotSent('Enter an amount above zero, such as 25.');
  return {
    currency: 'USD',
    amount,
    funding_wallet_id: of('wallet'),
    label: of('label') || null,
    customer: {
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
        country: of('country'),
      },
      identity: { type: 'passport', number: of('passport') },
    },
  };
}
