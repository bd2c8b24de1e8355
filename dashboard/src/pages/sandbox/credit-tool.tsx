import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { NotSent } from '../../api/problem';
import { bodyOf, publicApi } from '../../api/public-api';
import { IdLink } from '../../ui/links';
import { moneyText, toMinor } from '../../ui/money';
import { Tool } from './tool';

const api = publicApi('test');

export function CreditTool() {
  const wallets = useQuery({
    queryKey: ['test', 'wallets', 'all'],
    queryFn: async () => (await bodyOf(api.GET('/v4/wallets', { params: { query: { limit: 100 } } }))).data,
  });
  const rows = wallets.data ?? [];
  async function credit({ wallet = '', amount: text = '' }: Record<string, string>, key: string) {
    const currency = rows.find(({ id }) => id === wallet)?.currency ?? '';
    const amount = toMinor(text, currency);
    if (amount === null) throw new NotSent('Enter an amount above zero, such as 1000.');
    return bodyOf(
      api.POST('/v4/sandbox/wallets/{id}/credit', {
        params: { path: { id: wallet }, header: { 'Idempotency-Key': key } },
        body: { amount },
      }),
    );
  }
  return (
    <Tool
      title="Credit a wallet"
      text="Test money, from nowhere."
      button="Credit"
      run={credit}
      done={() => 'Test money is in.'}
      result={({ id, amount_display }) => (
        <>
          {amount_display}: <IdLink id={id} />
        </>
      )}
    >
      <NativeSelect
        name="wallet"
        label="Wallet"
        data={rows.map(({ id, label, currency, balance }) => ({
          value: id,
          label: `${label ?? `…${id.slice(-6)}`} · ${moneyText(balance.available, currency)}`,
        }))}
      />
      <TextInput name="amount" label="Amount" defaultValue="10000" inputMode="decimal" required />
    </Tool>
  );
}
