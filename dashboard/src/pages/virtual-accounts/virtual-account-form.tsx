import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { toMinor } from '../../ui/money';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi, useMode } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { useWalletChoice } from '../../ui/use-wallets';
import { WalletPicker } from '../../ui/wallet-picker';
import { KINDS, type VirtualAccount } from './virtual-account';

type Order = Schemas['CreateVirtualAccount'];

const ACTIVE = { status: 'active' } as const;
const DIFFERENT = [
  { value: 'review', label: 'waits for a person' },
  { value: 'accept_received', label: 'is taken as it is' },
  { value: 'refund', label: 'goes back to the payer' },
];

/** Opens an account number: for any number of transfers, or for one of a certain amount. */
export function VirtualAccountForm({ onDone }: { onDone: () => void }) {
  const api = useApi();
  const mode = useMode();
  const navigate = useNavigate();
  const { wallet, pick } = useWalletChoice(ACTIVE);
  const [kind, setKind] = useState<VirtualAccount['kind']>('permanent');
  const [invalid, setInvalid] = useState<string | null>(null);
  const creation = useSending(
    'virtual account',
    (body: Order, key) =>
      bodyOf(api.POST('/v4/virtual-accounts', { params: { header: { 'Idempotency-Key': key } }, body })),
    ({ status }) => (status === 'pending' ? 'The bank has not answered yet.' : 'The account number is there.'),
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!wallet) return;
    const { amount: text, on_underpaid: less, on_overpaid: more, label, reference } = fieldsOf(event.currentTarget);
    const amount = text ? toMinor(text, wallet.currency) : null;
    const isWrong = Boolean(text) && amount === null;
    setInvalid(isWrong ? 'An amount above zero, such as 2500 or 2500.50' : null);
    if (isWrong) return;
    const rules = amount === null ? {} : { amount, on_underpaid: less, on_overpaid: more };
    const body = { wallet_id: wallet.id, kind, label: label || null, reference: reference || null, ...rules } as Order;
    creation.mutate(body, {
      onSuccess: ({ id }) => {
        onDone();
        void navigate({ to: '/$mode/virtual-accounts/$id', params: { mode, id: id ?? '' } });
      },
    });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <WalletPicker label="Credits" wanted={ACTIVE} picked={wallet} onPick={pick} />
        <NativeSelect
          label="Kind"
          description="One time: for one transfer within an hour"
          data={[...KINDS]}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as typeof kind)}
        />
        {kind === 'one_time' && (
          <>
            <TextInput
              name="amount"
              label={`Amount (${wallet?.currency ?? ''})`}
              description="Empty: any"
              inputMode="decimal"
              error={invalid}
            />
            <NativeSelect name="on_underpaid" label="Less than that" data={DIFFERENT} />
            <NativeSelect name="on_overpaid" label="More than that" data={DIFFERENT} />
          </>
        )}
        <TextInput name="label" label="Label" description="Whose transfers are expected" maxLength={100} />
        <TextInput name="reference" label="Reference" description="Your own id of it" pattern="[A-Za-z0-9._:\-]+" />
        <SendingAlert sending={creation} onDone={onDone} />
        <Group justify="flex-end">
          <Button type="submit" disabled={!wallet} {...(wallet && creation.button)}>
            Open it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
