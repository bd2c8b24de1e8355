import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { Facts } from '../../ui/facts';
import { fieldsOf } from '../../ui/form-fields';
import { amountText, moneyText, toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { useCheck } from '../../ui/use-check';
import { useApi, useMode } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { useWalletChoice } from '../../ui/use-wallets';
import { WalletPicker } from '../../ui/wallet-picker';
import { PayeeFields, usePayee } from './payee';

type Order = Schemas['CreatePayout'];

/** A payout as it would be, with what it costs. Nothing was sent yet. */
interface Checked {
  readonly order: Order;
  readonly name: string;
  readonly account: string;
  readonly wallet: string;
  readonly shown: Schemas['Transaction'];
}

/** Money from a wallet to a bank account: who is paid and what it costs is shown before it is sent. */
export function PayoutForm({ onDone }: { onDone: () => void }) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const api = useApi();
  const mode = useMode();
  const navigate = useNavigate();
  const sending = useSending(
    'payout',
    (body: Order, key) => bodyOf(api.POST('/v4/payouts', { params: { header: { 'Idempotency-Key': key } }, body })),
    ({ status }) => (status === 'pending' ? 'It waits for a second person.' : 'The payout is on its way.'),
  );
  const send = ({ order }: Checked) =>
    sending.mutate(order, {
      onSuccess: ({ id }) => {
        onDone();
        void navigate({ to: '/$mode/payouts/$id', params: { mode, id: id ?? '' } });
      },
    });
  return (
    <Stack>
      <div hidden={checked !== null}>
        <OrderFields onChecked={setChecked} />
      </div>
      {checked && <Confirmation checked={checked} />}
      <SendingAlert sending={sending} onDone={onDone} />
      {checked && (
        <Group justify="flex-end">
          <Button variant="default" disabled={sending.isPending} onClick={() => setChecked(null)}>
            Back
          </Button>
          <Button data-autofocus {...sending.button} onClick={() => send(checked)}>
            Send {moneyText(checked.shown.amount, checked.shown.currency)}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function OrderFields({ onChecked }: { onChecked: (checked: Checked) => void }) {
  const api = useApi();
  const { payee, currency, fields } = usePayee();
  const wanted = { status: 'active' as const, currency };
  const { list, wallet, pick } = useWalletChoice(wanted);
  const [invalid, setInvalid] = useState<string | null>(null);
  const check = useCheck((order: Order) => bodyOf(api.POST('/v4/payouts', { body: { ...order, dry_run: true } })));
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { amount: text = '', narration, reference } = fieldsOf(event.currentTarget);
    const amount = wallet && toMinor(text, wallet.currency);
    setInvalid(amount === null ? 'An amount above zero, such as 2500 or 2500.50' : null);
    if (!wallet || amount === null || !payee) return;
    const more = { narration: narration || null, reference: reference || null };
    const order = { ...payee.order, ...more, amount, wallet_id: wallet.id };
    const from = wallet.label ?? wallet.id;
    check.mutate(order, {
      onSuccess: (shown) =>
        onChecked({ order, name: payee.name, account: payee.account, wallet: from, shown: shown as Checked['shown'] }),
    });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <PayeeFields fields={fields} />
        <WalletPicker label="From" wanted={wanted} picked={wallet} onPick={pick} />
        {!list.isPending && list.rows.length === 0 && (
          <Text size="sm">No wallet of {currency ?? 'yours'} is open: open one under Wallets first.</Text>
        )}
        <TextInput
          name="amount"
          label={`Amount (${wallet?.currency ?? ''})`}
          description={wallet ? `${amountText(wallet.available, wallet.currency)} available` : undefined}
          inputMode="decimal"
          required
          error={invalid}
        />
        <TextInput name="narration" label="Narration" description="What the receiver reads" maxLength={100} />
        <TextInput
          name="reference"
          label="Reference"
          description="Your own id of it"
          pattern="[A-Za-z0-9._:\-]{1,128}"
          title="Letters, digits and . _ : -"
        />
        <ProblemAlert error={check.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={check.isPending} disabled={!payee || !wallet}>
            Check it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Confirmation({ checked: { name, account, wallet, shown, order } }: { checked: Checked }) {
  const { amount, fee, total, currency, details } = shown;
  return (
    <Stack gap="xs">
      <Facts
        items={[
          ['To', name],
          ['Account', account],
          ['From', wallet],
          ['Amount', moneyText(amount, currency)],
          ['Fee', moneyText(fee, currency)],
          ['Leaves the wallet', moneyText(total, currency)],
          ['Narration', order.narration],
          ['Reference', order.reference],
        ]}
      />
      {'approval' in details && (
        <Text size="sm">
          It is above what one person may send: it waits, with its money held, until a second person approves it.
        </Text>
      )}
    </Stack>
  );
}
