import { TextInput } from '@mantine/core';
import { NotSent } from '../../api/problem';
import { bodyOf, publicApi } from '../../api/public-api';
import { IdLink } from '../../ui/links';
import { toMinor } from '../../ui/money';
import { useWalletChoice } from '../../ui/use-wallets';
import { WalletPicker } from '../../ui/wallet-picker';
import { Tool } from './tool';

const api = publicApi('test');
const NONE_LEFT_OUT = {};

export function CreditTool() {
  const { list, wallet: chosen, pick } = useWalletChoice(NONE_LEFT_OUT);
  async function credit({ amount: text = '' }: Record<string, string>, key: string) {
    // Who is faster than the list means the first of it.
    const wallet = chosen ?? (await list.refetch()).data?.pages[0]?.data[0];
    if (!wallet) throw new NotSent('Open a wallet under Wallets first.');
    const amount = toMinor(text, wallet.currency);
    if (amount === null) throw new NotSent('Enter an amount above zero, such as 1000.');
    return bodyOf(
      api.POST('/v4/sandbox/wallets/{id}/credit', {
        params: { path: { id: wallet.id }, header: { 'Idempotency-Key': key } },
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
      <WalletPicker label="Wallet" wanted={NONE_LEFT_OUT} picked={chosen} onPick={pick} />
      <TextInput name="amount" label="Amount" defaultValue="10000" inputMode="decimal" required />
    </Tool>
  );
}
