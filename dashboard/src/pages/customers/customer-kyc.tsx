import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { NeedsReview, StatusBadge } from '../../ui/status-badge';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { When } from '../../ui/when';
import { useScenarios } from '../sandbox/use-scenarios';
import { CustomerAllowance } from './customer-allowance';
import { DOCUMENTS, documentOf, documentText } from './customer-fields';

type Customer = Schemas['Customer'];

/** How far somebody is known, what is missing, and what they may have for it. */
export function CustomerKyc({ customer }: { customer: Customer }) {
  const mayWrite = useMay().hasScope('cards:write');
  const { kyc_status: status, kyc_failure: failure, kyc_verified_at: at } = customer;
  return (
    <Stack component="section" gap="sm" aria-labelledby="kyc-title">
      <Group gap="xs">
        <Title order={2} size="h4" id="kyc-title">
          KYC
        </Title>
        <StatusBadge status={status} />
        {customer.needs_review && <NeedsReview />}
        <Text size="sm">
          Tier {customer.kyc_tier}
          {at && (
            <>
              , since <When at={at} />
            </>
          )}
        </Text>
      </Group>
      {failure && (
        <Alert variant="outline" color="red" title="Why they were rejected">
          {failure.message} <code>{failure.code}</code>
        </Alert>
      )}
      <Text size="sm">{missingText(customer)}</Text>
      {mayWrite && status !== 'verified' && <Verify id={customer.id} isPending={status === 'pending'} />}
      {mayWrite && <OtherDocument customer={customer} />}
      <CustomerAllowance id={customer.id} />
    </Stack>
  );
}

function missingText({ kyc_status: status, kyc_tier: tier, needs_review: review, livemode }: Customer): string {
  if (review) return 'The provider says nothing, as often as it is asked: an operator decides by evidence.';
  if (status === 'pending') return 'The provider of identities is asked. This page tells when it has answered.';
  if (status === 'rejected') return 'Correct what is wrong (Edit, or another document), then verify again.';
  if (status === 'unverified')
    return livemode
      ? 'Nobody vouches for them yet: verify them. Live cards are for verified customers only.'
      : 'Nobody vouches for them yet: verify them. In test mode they may have cards all the same.';
  if (tier === 1) return 'A number is proven. For tier 2 send a document with a photo, such as a passport, and verify.';
  if (tier === 2) return 'Who they are is proven. Tier 3, where they live, only the provider or an operator gives.';
  return 'Nothing is missing: this is the highest tier.';
}

function Verify({ id, isPending }: { id: string; isPending: boolean }) {
  const api = useApi();
  const verify = useSending(
    `verify ${id}`,
    (_: undefined, key) =>
      bodyOf(
        api.POST('/v4/customers/{id}/verify', {
          params: { path: { id }, header: { 'Idempotency-Key': key } },
          body: {},
        }),
      ),
    ({ kyc_status: status }) => `The customer is ${status}.`,
  );
  return (
    <Stack gap="xs" align="flex-start">
      {!isPending && (
        <Button size="xs" onClick={() => verify.mutate(undefined)} {...verify.button}>
          Verify
        </Button>
      )}
      <SendingAlert sending={verify} />
    </Stack>
  );
}

/** A number of the form that the document has, with an ending that the sandbox knows. */
const numberOf = (document: string, ending: string): string => {
  const digits = { bvn: 8, nin: 8, ssn: 6 }[document];
  return digits === undefined ? `A00000${ending}` : `${'0'.repeat(digits)}${ending}`;
};

/** Another document; in test mode its last characters decide what is found out. */
function OtherDocument({ customer: { id } }: { customer: Customer }) {
  const mode = useMode();
  const api = useApi();
  const [number, setNumber] = useState('');
  const [type, setType] = useState<string>(DOCUMENTS[0]);
  const change = useAction(
    (fields: Record<string, string>) =>
      bodyOf(api.PATCH('/v4/customers/{id}', { params: { path: { id } }, body: { identity: documentOf(fields) } })),
    'The document is changed. Verify it.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    change.mutate(fieldsOf(event.currentTarget), { onSuccess: () => setNumber('') });
  }
  return (
    <form onSubmit={submit} aria-label="Another document">
      <Group align="flex-end" gap="xs">
        <NativeSelect
          name="document"
          label="Document"
          value={type}
          onChange={(event) => setType(event.currentTarget.value)}
          data={DOCUMENTS.map((value) => ({ value, label: documentText(value) }))}
        />
        {mode === 'test' && <Outcome onPick={(ending) => setNumber(numberOf(type, ending))} />}
        <TextInput
          name="number"
          label="Document number"
          value={number}
          onChange={(event) => setNumber(event.currentTarget.value)}
          autoComplete="off"
          required
        />
        <Button type="submit" variant="default" loading={change.isPending}>
          Send document
        </Button>
      </Group>
      <ProblemAlert error={change.error} />
    </form>
  );
}

/** What the sandbox is to find out, by the end of the number. */
function Outcome({ onPick }: { onPick: (ending: string) => void }) {
  const { data } = useScenarios();
  return (
    <NativeSelect
      label="In test mode, play"
      data={[
        { value: '', label: 'a number of your own' },
        ...(data?.identities ?? []).map(({ suffix, status, description }) => ({
          value: suffix,
          label: `${suffix}: ${status}. ${description}`,
        })),
      ]}
      maw={280}
      onChange={(event) => event.currentTarget.value && onPick(event.currentTarget.value)}
    />
  );
}
