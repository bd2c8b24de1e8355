import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { fieldsOf } from '../../ui/form-fields';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi, useMode } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { AccountName, type BankAccount, useAccountName } from './account-name';
import { BankPicker } from './bank-picker';
import type { Beneficiary } from './beneficiary-picker';

type Kind = Beneficiary['kind'];

export const KINDS = ['bank_account', 'phone', 'meter', 'smartcard', 'wallet'] as const satisfies readonly Kind[];

const BILLERS_MAX = 100;
const OF_METERS = 'electricity';

/** Keeps somebody who is paid again and again. A bank or a biller says the name. */
export function BeneficiaryForm({ onDone }: { onDone: () => void }) {
  const api = useApi();
  const { hasScope } = useMay();
  const [kind, setKind] = useState<Kind>('bank_account');
  const [account, setAccount] = useState<BankAccount>({ bank: null, number: '' });
  const mayAsk = hasScope('payouts:write');
  const asked = useAccountName(kind === 'bank_account' && mayAsk ? account : { bank: null, number: '' });
  const creation = useSending(
    'beneficiary',
    (body: Schemas['CreateBeneficiary'], key) =>
      bodyOf(api.POST('/v4/beneficiaries', { params: { header: { 'Idempotency-Key': key } }, body })),
    ({ verified_name: name }) => (name ? `Kept: ${name}.` : 'Kept.'),
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { label, ...fields } = fieldsOf(event.currentTarget);
    const body = { ...whoOf(kind, fields, account), label: label || null };
    // As it was shown here: kept only if the bank still says it.
    creation.mutate({ ...body, account_name: asked.data?.account_name ?? null }, { onSuccess: onDone });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect
          label="Kind"
          value={kind}
          data={KINDS.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          onChange={(event) => setKind(event.currentTarget.value as Kind)}
          data-autofocus
        />
        {kind === 'bank_account' ? (
          <>
            <BankPicker picked={account.bank} onPick={(bank) => setAccount({ ...account, bank })} />
            <TextInput
              label="Account number"
              inputMode="numeric"
              required
              maxLength={34}
              value={account.number}
              onChange={(event) => setAccount({ ...account, number: event.currentTarget.value.replaceAll(/\s/g, '') })}
            />
            <AccountName asked={asked} />
          </>
        ) : (
          <OtherFields kind={kind} />
        )}
        <TextInput name="label" label="Label" description="What you call it; else its name" maxLength={100} />
        <SendingAlert sending={creation} onDone={onDone} />
        <Group justify="flex-end">
          <Button type="submit" {...creation.button}>
            Keep it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function whoOf(
  kind: Kind,
  fields: Record<string, string>,
  { bank, number }: BankAccount,
): Schemas['CreateBeneficiary'] {
  const { phone = '', wallet_id = '', biller_code = '', customer_identifier = '', service_type } = fields;
  const customer = { biller_code, customer_identifier, service_type: service_type || null };
  switch (kind) {
    case 'bank_account':
      return { kind, bank: { code: bank?.code ?? '', account_number: number } };
    case 'phone':
      return { kind, phone: { phone } };
    case 'wallet':
      return { kind, wallet: { wallet_id } };
    default:
      return { kind, [kind]: customer };
  }
}

function OtherFields({ kind }: { kind: Kind }) {
  if (kind === 'phone') return <TextInput name="phone" label="Phone number" placeholder="+2348031234567" required />;
  if (kind === 'wallet') return <TextInput name="wallet_id" label="Id of the wallet" placeholder="wal_…" required />;
  return <CustomerFields key={kind} ofMeter={kind === 'meter'} />;
}

/** A customer of a biller. */
function CustomerFields({ ofMeter }: { ofMeter: boolean }) {
  const mode = useMode();
  const api = useApi();
  const { data } = useQuery({
    queryKey: [mode, 'billers'],
    queryFn: () => bodyOf(api.GET('/v4/bills/billers', { params: { query: { limit: BILLERS_MAX } } })),
  });
  const [code, setCode] = useState('');
  const billers = (data?.data ?? []).filter(({ category }) => (category === OF_METERS) === ofMeter);
  const biller = billers.find((one) => one.code === code) ?? billers[0];
  const kinds = biller?.service_types ?? [];
  return (
    <>
      <NativeSelect
        name="biller_code"
        label="Biller"
        data={billers.map(({ code: value, name }) => ({ value, label: name }))}
        value={biller?.code ?? ''}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <TextInput name="customer_identifier" label={biller?.customer_field.label ?? 'Number'} required maxLength={64} />
      {kinds.length > 0 && <NativeSelect name="service_type" label="Paid" data={kinds} />}
    </>
  );
}
