import { Alert, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { attemptKey, bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { IdLink } from '../../ui/links';
import { moneyText, toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';

const api = publicApi('test');
const NEW_WALLET = 'new';

interface Sending {
  readonly from: Schemas['Wallet'];
  readonly to: string;
  readonly amount: number;
}

/** The first transfer of an account: puts test money in where there is too little, makes a second wallet where there is none, and sends. */
async function send({ from, to, amount }: Sending, key: string): Promise<Schemas['Transfer']> {
  const idempotent = (step: string) => ({ header: { 'Idempotency-Key': `${key}-${step}` } });
  const missing = amount - from.balance.available;
  if (missing > 0) {
    await api.POST('/v4/sandbox/wallets/{id}/credit', { params: { path: { id: from.id }, ...idempotent('credit') }, body: { amount: missing } });
  }
  const target = to === NEW_WALLET ? await newWallet(from.currency, key) : to;
  return bodyOf(api.POST('/v4/wallets/transfer', { params: idempotent('transfer'), body: { from_wallet: from.id, to_wallet: target, amount, narration: 'Test money' } }));
}

async function newWallet(currency: Schemas['Wallet']['currency'], key: string): Promise<string> {
  const headers = { header: { 'Idempotency-Key': `${key}-wallet` } };
  return (await bodyOf(api.POST('/v4/wallets', { params: headers, body: { currency, label: 'Second wallet' } }))).id;
}

export function SendTestMoney() {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>Send test money</Button>
      <Modal opened={opened} onClose={close} title="Send test money" closeButtonProps={{ 'aria-label': 'Close' }}>
        <SendForm />
      </Modal>
    </>
  );
}

function SendForm() {
  const { data, error } = useQuery({
    queryKey: ['test', 'wallets', 'active'],
    queryFn: async () => (await bodyOf(api.GET('/v4/wallets', { params: { query: { limit: 100 } } }))).data.filter(({ status }) => status === 'active'),
  });
  if (error) return <ProblemAlert error={error} />;
  return data ? <Form wallets={data} /> : <Text>Reading your wallets…</Text>;
}

function Form({ wallets }: { wallets: readonly Schemas['Wallet'][] }) {
  const key = useRef(attemptKey());
  const [fromId, setFromId] = useState(wallets.at(-1)?.id ?? '');
  const [invalid, setInvalid] = useState<string | null>(null);
  const from = wallets.find(({ id }) => id === fromId);
  const sending = useAction((wanted: Sending) => send(wanted, key.current), 'Sent.');
  const targets = wallets.filter(({ id, currency }) => id !== fromId && currency === from?.currency);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { to = NEW_WALLET, amount: text = '' } = fieldsOf(event.currentTarget);
    const amount = from ? toMinor(text, from.currency) : null;
    setInvalid(amount === null ? 'An amount above zero, such as 250 or 250.50' : null);
    if (!from || amount === null) return;
    sending.mutate({ from, to, amount }, { onSuccess: () => (key.current = attemptKey()) });
  }
  const nameOf = ({ id, label, currency, balance }: Schemas['Wallet']) => `${label ?? `…${id.slice(-6)}`} · ${moneyText(balance.available, currency)}`;
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect label="From" value={fromId} onChange={(event) => setFromId(event.currentTarget.value)} data={wallets.map((wallet) => ({ value: wallet.id, label: nameOf(wallet) }))} />
        <NativeSelect name="to" label="To" data={[...targets.map((wallet) => ({ value: wallet.id, label: nameOf(wallet) })), { value: NEW_WALLET, label: 'A new wallet' }]} />
        <TextInput name="amount" label={`Amount (${from?.currency ?? ''})`} description="Missing test money is put in first." defaultValue="2500" inputMode="decimal" required error={invalid} />
        <ProblemAlert error={sending.error} />
        {sending.data && (
          <Alert variant="outline" color="teal" title={`Sent ${sending.data.amount_display}`}>
            The transaction: <IdLink id={sending.data.transactions.debit} />
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={sending.isPending} data-autofocus>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
