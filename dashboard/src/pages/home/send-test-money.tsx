import { Alert, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { IdLink } from '../../ui/links';
import { moneyText, toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { useSending } from '../../ui/use-sending';

const api = publicApi('test');
const NEW_WALLET = 'new';

interface Sending {
  readonly from: Schemas['Wallet'];
  readonly to: string;
  readonly amount: number;
}

/** What is put in first, by the key of the attempt: the same when it is sent again, though the balance has changed. */
const topUps = new Map<string, number>();

/** The first transfer of an account: puts test money in where there is too little, makes a second wallet where there is none, and sends. */
async function send({ from, to, amount }: Sending, key: string): Promise<Schemas['Transfer']> {
  const missing = topUps.get(key) ?? amount - from.balance.available;
  topUps.set(key, missing);
  if (missing > 0) {
    const header = { 'Idempotency-Key': `${key}-credit-${missing}` };
    await api.POST('/v4/sandbox/wallets/{id}/credit', {
      params: { path: { id: from.id }, header },
      body: { amount: missing },
    });
  }
  const target = to === NEW_WALLET ? await newWallet(from.currency, key) : to;
  return bodyOf(
    api.POST('/v4/wallets/transfer', {
      params: { header: { 'Idempotency-Key': key } },
      body: { from_wallet: from.id, to_wallet: target, amount, narration: 'Test money' },
    }),
  );
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
    queryFn: async () =>
      (await bodyOf(api.GET('/v4/wallets', { params: { query: { limit: 100 } } }))).data.filter(
        ({ status }) => status === 'active',
      ),
  });
  if (error) return <ProblemAlert error={error} />;
  return data ? <Form wallets={data} /> : <Text>Reading your wallets…</Text>;
}

function Form({ wallets }: { wallets: readonly Schemas['Wallet'][] }) {
  const [fromId, setFromId] = useState(wallets.at(-1)?.id ?? '');
  const [invalid, setInvalid] = useState<string | null>(null);
  const from = wallets.find(({ id }) => id === fromId);
  const sending = useSending('test money', send, 'Sent.');
  const targets = wallets.filter(({ id, currency }) => id !== fromId && currency === from?.currency);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { to = NEW_WALLET, amount: text = '' } = fieldsOf(event.currentTarget);
    const amount = from ? toMinor(text, from.currency) : null;
    setInvalid(amount === null ? 'An amount above zero, such as 250 or 250.50' : null);
    if (!from || amount === null) return;
    sending.mutate({ from, to, amount });
  }
  const nameOf = ({ id, label, currency, balance }: Schemas['Wallet']) =>
    `${label ?? `…${id.slice(-6)}`} · ${moneyText(balance.available, currency)}`;
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect
          label="From"
          value={fromId}
          onChange={(event) => setFromId(event.currentTarget.value)}
          data={wallets.map((wallet) => ({ value: wallet.id, label: nameOf(wallet) }))}
        />
        <NativeSelect
          name="to"
          label="To"
          data={[
            ...targets.map((wallet) => ({ value: wallet.id, label: nameOf(wallet) })),
            { value: NEW_WALLET, label: 'A new wallet' },
          ]}
        />
        <TextInput
          name="amount"
          label={`Amount (${from?.currency ?? ''})`}
          description="Missing test money is put in first."
          defaultValue="2500"
          inputMode="decimal"
          required
          error={invalid}
        />
        <SendingAlert sending={sending} />
        {sending.data && (
          <Alert variant="outline" color="teal" title={`Sent ${sending.data.amount_display}`}>
            The transaction: <IdLink id={sending.data.transactions.debit} />
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" {...sending.button} data-autofocus>
            Send
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
