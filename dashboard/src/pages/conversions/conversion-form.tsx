import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { type Currency, moneyText, toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { useCheck } from '../../ui/use-check';
import { useApi } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { useWallets, type WalletRow } from '../../ui/use-wallets';
import { WalletPicker } from '../../ui/wallet-picker';
import { QuoteShown } from './quote-shown';

type Side = Schemas['Quote']['side'];

/** A price that was promised, and between which wallets. */
interface Promised {
  readonly quote: Schemas['Quote'];
  readonly from: WalletRow;
  readonly to: WalletRow;
}

const ACTIVE = { status: 'active' } as const;

/** Money of one currency becomes money of another, at a rate that is promised before. */
export function ConversionForm({ onDone }: { onDone: () => void }) {
  const api = useApi();
  const [promised, setPromised] = useState<Promised | null>(null);
  const sending = useSending(
    'conversion',
    (body: Schemas['CreateConversion'], key) =>
      bodyOf(api.POST('/v4/conversions', { params: { header: { 'Idempotency-Key': key } }, body })),
    ({ buy_amount: amount, to_currency: currency }) => `Converted: ${moneyText(amount, currency)} arrived.`,
  );
  const convert = ({ quote, from, to }: Promised) =>
    sending.mutate({ quote_id: quote.id, from_wallet: from.id, to_wallet: to.id }, { onSuccess: onDone });
  return (
    <Stack>
      <AskForm onPromised={setPromised} />
      {promised && (
        <QuoteShown
          key={promised.quote.id}
          quote={promised.quote}
          button={sending.button}
          onConfirm={() => convert(promised)}
        />
      )}
      <SendingAlert sending={sending} onDone={onDone} />
    </Stack>
  );
}

function AskForm({ onPromised }: { onPromised: (promised: Promised | null) => void }) {
  const api = useApi();
  const { rows } = useWallets(ACTIVE);
  const [sold, setSold] = useState<WalletRow | null>(null);
  const [bought, setBought] = useState<WalletRow | null>(null);
  const [side, setSide] = useState<Side>('sell');
  const [invalid, setInvalid] = useState<string | null>(null);
  const from = sold ?? rows[0] ?? null;
  const other = rows.find(({ currency }) => currency !== from?.currency) ?? null;
  const to = bought && bought.currency !== from?.currency ? bought : other;
  const ask = useCheck((body: Schemas['CreateQuote']) => bodyOf(api.POST('/v4/quotes', { body })));
  const named = (side === 'sell' ? from : to)?.currency ?? '';
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const amount = toMinor(fieldsOf(event.currentTarget).amount ?? '', named);
    setInvalid(amount === null ? 'An amount above zero, such as 250 or 250.50' : null);
    if (amount === null || !from || !to) return;
    const body = { from_currency: from.currency as Currency, to_currency: to.currency as Currency, amount, side };
    onPromised(null);
    ask.mutate(body, { onSuccess: (quote) => onPromised({ quote, from, to }) });
  }
  return (
    <form onSubmit={submit} onChange={() => onPromised(null)}>
      <Stack>
        <WalletPicker label="Sell from" wanted={ACTIVE} picked={from} onPick={setSold} />
        <WalletPicker label="Buy into" wanted={ACTIVE} except={from?.id} picked={to} onPick={setBought} />
        {!to && 'A second wallet, of another currency, is needed. Open one under Wallets first.'}
        <Group align="flex-end" gap="xs">
          <NativeSelect
            label="The amount is what you"
            value={side}
            data={['sell', 'buy']}
            onChange={(event) => setSide(event.currentTarget.value as Side)}
          />
          <TextInput name="amount" label={`Amount (${named})`} inputMode="decimal" required error={invalid} />
          <Button type="submit" variant="default" loading={ask.isPending} disabled={!to}>
            Ask for a quote
          </Button>
        </Group>
        <ProblemAlert error={ask.error} />
      </Stack>
    </form>
  );
}
