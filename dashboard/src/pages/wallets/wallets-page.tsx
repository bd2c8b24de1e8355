import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { FormEvent } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { fieldsOf } from '../../ui/form-fields';
import { AnchorLink, IdLink } from '../../ui/links';
import { CURRENCIES, type Currency } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { SendingAlert } from '../../ui/sending-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { useNewForm } from '../../ui/use-new-form';
import { useSending } from '../../ui/use-sending';
import { useWallets, type WalletFilter, walletName } from '../../ui/use-wallets';

const FILTERS: readonly FilterField[] = [
  { name: 'q', label: 'Label, reference or id' },
  { name: 'currency', label: 'Currency', options: CURRENCIES },
  { name: 'status', label: 'State', options: ['active', 'frozen', 'closed'] },
];

export function WalletsPage() {
  const mode = useMode();
  const { q, currency, status } = useFilters();
  const { hasScope } = useMay();
  const [creating, { open, close }] = useNewForm();
  const list = useWallets({ q, currency, status } as WalletFilter);
  return (
    <>
      <PageHead title="Wallets">{hasScope('wallets:write') && <Button onClick={open}>New wallet</Button>}</PageHead>
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Wallets"
        empty={q || currency || status ? 'No wallet matches.' : 'No wallets yet. Open the first one.'}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Wallet',
            cell: (wallet) => (
              <AnchorLink className="label" to="/$mode/wallets/$id" params={{ mode, id: wallet.id }}>
                {walletName(wallet)}
              </AnchorLink>
            ),
          },
          { title: 'Id', cell: ({ id }) => <IdLink id={id} /> },
          { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
          {
            title: 'Available',
            cell: ({ available_display }) => <span className="amount">{available_display}</span>,
            numeric: true,
          },
          { title: 'Held', cell: ({ held_display }) => <span className="amount">{held_display}</span>, numeric: true },
        ]}
      />
      <Modal opened={creating} onClose={close} title="New wallet">
        <NewWallet onMade={close} />
      </Modal>
    </>
  );
}

function NewWallet({ onMade }: { onMade: () => void }) {
  const api = useApi();
  const creation = useSending(
    'wallet',
    (body: Schemas['CreateWallet'], key) =>
      bodyOf(api.POST('/v4/wallets', { params: { header: { 'Idempotency-Key': key } }, body })),
    'The wallet is open.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { currency, label } = fieldsOf(event.currentTarget);
    creation.mutate({ currency: currency as Currency, label: label || null }, { onSuccess: onMade });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <NativeSelect name="currency" label="Currency" data={[...CURRENCIES]} data-autofocus />
        <TextInput name="label" label="Label" />
        <SendingAlert sending={creation} onDone={onMade} />
        <Group justify="flex-end">
          <Button type="submit" {...creation.button}>
            Open wallet
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
