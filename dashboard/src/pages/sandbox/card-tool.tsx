import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { StatusBadge } from '../../ui/status-badge';
import { toMinor } from '../../ui/money';
import { Tool } from './tool';

const api = publicApi('test');
const KINDS = [
  'authorization',
  'clearing',
  'void',
  'refund',
  'decline',
  'fee',
] as const satisfies readonly Schemas['SimulateCard']['kind'][];

/** Plays the card network. */
export function CardTool() {
  const cards = useQuery({
    queryKey: ['test', 'cards', 'all'],
    queryFn: () => bodyOf(api.GET('/v4/cards', { params: { query: { limit: 100 } } })),
  });
  const [picked, setPicked] = useState<string | null>(null);
  const card = picked ?? cards.data?.data[0]?.id;
  const authorized = useQuery({
    queryKey: ['test', 'card', card, 'authorized'],
    queryFn: () => bodyOf(api.GET('/v4/cards/{id}/transactions', { params: { path: { id: card ?? '' } } })),
    enabled: card !== undefined,
  });
  function simulate(
    { card: of = '', kind: word, amount = '', merchant, transaction }: Record<string, string>,
    key: string,
  ) {
    const kind = KINDS.find((known) => known === word) ?? 'authorization';
    const asksAMerchant = kind === 'authorization' || kind === 'decline';
    const body = {
      kind,
      amount: amount ? toMinor(amount, 'USD') : null,
      merchant: merchant && asksAMerchant ? { name: merchant, mcc: '5411', country: 'NG' } : null,
      card_transaction_id: transaction || null,
    };
    return bodyOf(
      api.POST('/v4/sandbox/cards/{id}/simulate', {
        params: { path: { id: of }, header: { 'Idempotency-Key': key } },
        body,
      }),
    );
  }
  return (
    <Tool
      title="Use a card"
      text="A clearing, a void and a refund need the transaction that an authorization gave."
      button="Simulate"
      run={simulate}
      done={({ type, status }) => `${type}: ${status}.`}
      result={({ id, status, decline_reason }) => (
        <>
          <StatusBadge status={status} /> {decline_reason} <span className="id">{id}</span>
        </>
      )}
    >
      <NativeSelect
        name="card"
        label="Card"
        onChange={(event) => setPicked(event.currentTarget.value)}
        data={(cards.data?.data ?? []).map(({ id, masked_number, label }) => ({
          value: id ?? '',
          label: label ?? masked_number ?? id ?? '',
        }))}
        required
      />
      <NativeSelect name="kind" label="What" data={[...KINDS]} />
      <TextInput name="amount" label="Amount (USD)" inputMode="decimal" defaultValue="5" />
      <TextInput name="merchant" label="Merchant" defaultValue="Corner Shop" />
      <TextInput
        name="transaction"
        label="Card transaction"
        description="Pick an authorization, or paste an id"
        placeholder="ctx_…"
        list="card-authorizations"
        autoComplete="off"
      />
      <datalist id="card-authorizations">
        {authorized.data?.data.map(({ id, amount_display, merchant }) => (
          <option key={id} value={id}>
            {[amount_display, merchant?.name].filter(Boolean).join(' · ')}
          </option>
        ))}
      </datalist>
    </Tool>
  );
}
