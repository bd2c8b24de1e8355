import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { type Currency, moneyText, toMinor } from '../../ui/money';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { useWallets, type WalletRow } from '../../ui/use-wallets';
import { WalletPicker } from '../../ui/wallet-picker';

type Order = Schemas['CreateTransfer'];

/** Money from this wallet to another one of the account, of the same currency. */
export function TransferFrom({ wallet }: { wallet: Schemas['Wallet'] }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" onClick={open}>
        Transfer
      </Button>
      <Modal opened={opened} onClose={close} title="Transfer">
        <TransferForm wallet={wallet} onDone={close} />
      </Modal>
    </>
  );
}

function TransferForm({
  wallet: { id, currency, balance },
  onDone,
}: {
  wallet: Schemas['Wallet'];
  onDone: () => void;
}) {
  const api = useApi();
  const wanted = { status: 'active' as const, currency: currency as Currency };
  const { rows, isPending } = useWallets(wanted);
  const [picked, pick] = useState<WalletRow | null>(null);
  const to = picked ?? rows.find((row) => row.id !== id) ?? null;
  const [invalid, setInvalid] = useState<string | null>(null);
  const sending = useSending(
    `transfer ${id}`,
    (body: Order, key) =>
      bodyOf(api.POST('/v4/wallets/transfer', { params: { header: { 'Idempotency-Key': key } }, body })),
    'The money is moved.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { amount: text = '', narration, reference } = fieldsOf(event.currentTarget);
    const amount = toMinor(text, currency);
    setInvalid(amount === null ? 'An amount above zero, such as 250 or 250.50' : null);
    if (amount === null || !to) return;
    const body = { from_wallet: id, to_wallet: to.id, amount };
    sending.mutate({ ...body, narration: narration || null, reference: reference || null }, { onSuccess: onDone });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <WalletPicker label="To" wanted={wanted} except={id} picked={to} onPick={pick} />
        {!isPending && !to && `No other wallet of ${currency} is open. Open one under Wallets first.`}
        <TextInput
          name="amount"
          label={`Amount (${currency})`}
          description={`${moneyText(balance.available, currency)} available`}
          inputMode="decimal"
          required
          error={invalid}
          data-autofocus
        />
        <TextInput name="narration" label="Narration" maxLength={255} />
        <TextInput name="reference" label="Reference" description="Your own id of it" pattern="[A-Za-z0-9._:\-]+" />
        <SendingAlert sending={sending} onDone={onDone} />
        <Group justify="flex-end">
          <Button type="submit" disabled={!to} {...(to && sending.button)}>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
