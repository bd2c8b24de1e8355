import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { Dialog } from '../../ui/dialog';
import { fieldsOf } from '../../ui/form-fields';
import { IdLink } from '../../ui/links';
import { type Currency, toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { useSending } from '../../ui/use-sending';
import { useWallets, type WalletRow } from '../../ui/use-wallets';
import { WalletPicker } from '../../ui/wallet-picker';

const api = publicApi('test');

interface Sending {
  readonly from: WalletRow;
  /** Null: a new one. */
  readonly to: WalletRow | null;
  readonly amount: number;
}

/** What is put in first, by the key of the attempt: the same when it is sent again, though the balance has changed. */
const topUps = new Map<string, number>();

/** The first transfer of an account: puts test money in where there is too little, makes a second wallet where there is none, and sends. */
async function send({ from, to, amount }: Sending, key: string): Promise<Schemas['Transfer']> {
  const missing = topUps.get(key) ?? amount - (await availableIn(from.id));
  topUps.set(key, missing);
  if (missing > 0) {
    const header = { 'Idempotency-Key': `${key}-credit-${missing}` };
    await api.POST('/v4/sandbox/wallets/{id}/credit', {
      params: { path: { id: from.id }, header },
      body: { amount: missing },
    });
  }
  const target = to?.id ?? (await newWallet(from.currency as Currency, key));
  return bodyOf(
    api.POST('/v4/wallets/transfer', {
      params: { header: { 'Idempotency-Key': key } },
      body: { from_wallet: from.id, to_wallet: target, amount, narration: 'Test money' },
    }),
  );
}

const availableIn = async (id: string): Promise<number> =>
  (await bodyOf(api.GET('/v4/wallets/{id}', { params: { path: { id } } }))).balance.available;

async function newWallet(currency: Currency, key: string): Promise<string> {
  const headers = { header: { 'Idempotency-Key': `${key}-wallet` } };
  return (await bodyOf(api.POST('/v4/wallets', { params: headers, body: { currency, label: 'Second wallet' } }))).id;
}

const PAYING = { status: 'active' } as const;

export default function SendDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Send test money">
      <SendForm />
    </Dialog>
  );
}

function SendForm() {
  const { rows, error, isPending } = useWallets(PAYING);
  if (error) return <ProblemAlert error={error} />;
  return isPending ? <Text>Reading your wallets…</Text> : <Form newest={rows} />;
}

function Form({ newest }: { newest: readonly WalletRow[] }) {
  const otherThan = (from: WalletRow | null) =>
    newest.find(({ id, currency }) => id !== from?.id && currency === from?.currency) ?? null;
  const [from, setFrom] = useState(newest.at(-1) ?? null);
  const [to, setTo] = useState(otherThan(from));
  const [invalid, setInvalid] = useState<string | null>(null);
  const sending = useSending('test money', send, 'Sent.');
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { amount: text = '' } = fieldsOf(event.currentTarget);
    const amount = from ? toMinor(text, from.currency) : null;
    setInvalid(amount === null ? 'An amount above zero, such as 250 or 250.50' : null);
    if (!from || amount === null) return;
    sending.mutate({ from, to, amount });
  }
  function payFrom(wallet: WalletRow | null) {
    setFrom(wallet);
    setTo(otherThan(wallet));
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <WalletPicker label="From" wanted={PAYING} picked={from} onPick={payFrom} />
        {from && (
          <WalletPicker
            key={from.id}
            label="To"
            wanted={{ ...PAYING, currency: from.currency as Currency }}
            except={from.id}
            otherwise="A new wallet"
            picked={to}
            onPick={setTo}
          />
        )}
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
