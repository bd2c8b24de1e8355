import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { NotSent } from '../../api/problem';
import { bodyOf, type Schemas } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { toMinor } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi, useMode } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import { useWalletChoice } from '../../ui/use-wallets';
import { WalletPicker } from '../../ui/wallet-picker';
import { CustomerFields, DocumentFields, documentOf, personOf } from '../customers/customer-fields';

const BRANDS = ['visa', 'mastercard'] as const satisfies readonly Schemas['Card']['brand'][];

/** What cards are loaded from. */
const DOLLARS = { currency: 'USD', status: 'active' } as const;

interface Order {
  readonly fields: Record<string, string>;
  readonly walletId: string;
  readonly customerId: string | undefined;
}

interface IssueFormProps {
  /** Whose card it is to be; else somebody new is registered with it. */
  readonly customerId: string | undefined;
  readonly onMade: () => void;
}

export function IssueForm({ customerId, onMade }: IssueFormProps) {
  const api = useApi();
  const { list, wallet, pick } = useWalletChoice(DOLLARS);
  const issue = useSending(
    'card',
    async (order: Order, key) =>
      bodyOf(api.POST('/v4/cards/issue', { params: { header: { 'Idempotency-Key': key } }, body: issueBody(order) })),
    ({ status }) => `The card is ${status}.`,
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!wallet) return;
    const fields = fieldsOf(event.currentTarget);
    issue.mutate({ fields, walletId: wallet.id, customerId }, { onSuccess: onMade });
  }
  if (list.total === 0)
    return <Text>A card is loaded from a USD wallet. Open one under Wallets, and put money in, first.</Text>;
  return (
    <form onSubmit={submit}>
      <Stack>
        <WalletPicker label="Loaded from" wanted={DOLLARS} picked={wallet} onPick={pick} />
        {customerId && <HolderShown id={customerId} />}
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput name="amount" label="First load (USD)" defaultValue="25" inputMode="decimal" required />
          <TextInput name="label" label="Label" />
          <NativeSelect name="brand" label="Brand" data={BRANDS} />
          {!customerId && (
            <>
              <CustomerFields />
              <DocumentFields />
            </>
          )}
        </SimpleGrid>
        <ProblemAlert error={list.error} />
        <SendingAlert sending={issue} onDone={onMade} />
        <Group justify="flex-end">
          <Button type="submit" disabled={!wallet} {...(wallet && issue.button)}>
            Issue
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function issueBody({ fields, walletId, customerId }: Order): Schemas['IssueCard'] {
  const of = (name: string) => fields[name] ?? '';
  const amount = toMinor(of('amount'), 'USD');
  if (amount === null) throw new NotSent('Enter an amount above zero, such as 25.');
  return {
    currency: 'USD',
    amount,
    funding_wallet_id: walletId,
    label: of('label') || null,
    brand: BRANDS.find((known) => known === of('brand')) ?? null,
    ...(customerId ? { customer_id: customerId } : { customer: { ...personOf(fields), identity: documentOf(fields) } }),
  };
}

function HolderShown({ id }: { id: string }) {
  const mode = useMode();
  const api = useApi();
  const { data, error } = useQuery({
    queryKey: [mode, 'customer', id],
    queryFn: () => bodyOf(api.GET('/v4/customers/{id}', { params: { path: { id } } })),
  });
  return (
    <>
      <ProblemAlert error={error} />
      {data && (
        <Text size="sm">
          For {data.first_name} {data.last_name}, {data.kyc_status}.
        </Text>
      )}
    </>
  );
}
