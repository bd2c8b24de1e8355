import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { PagedTable } from '../../ui/data-table';
import { fieldsOf } from '../../ui/form-fields';
import { AnchorLink, IdLink } from '../../ui/links';
import { CURRENCIES, type Currency, moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { SendingAlert } from '../../ui/sending-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { useSending } from '../../ui/use-sending';

export function WalletsPage() {
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const [creating, { open, close }] = useDisclosure();
  const list = usePages([mode, 'wallets'], (cursor) =>
    bodyOf(api.GET('/v4/wallets', { params: { query: { cursor } } })),
  );
  return (
    <>
      <PageHead title="Wallets">{hasScope('wallets:write') && <Button onClick={open}>New wallet</Button>}</PageHead>
      <PagedTable
        caption="Wallets"
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Wallet',
            cell: ({ id, label, currency }) => (
              <AnchorLink to="/$mode/wallets/$id" params={{ mode, id }}>
                {label ?? `${currency} wallet`}
              </AnchorLink>
            ),
          },
          { title: 'Id', cell: ({ id }) => <IdLink id={id} /> },
          { title: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
          {
            title: 'Available',
            cell: ({ balance, currency }) => moneyText(balance.available, currency),
            numeric: true,
          },
          { title: 'Held', cell: ({ balance, currency }) => moneyText(balance.held, currency), numeric: true },
        ]}
      />
      <Modal opened={creating} onClose={close} title="New wallet" closeButtonProps={{ 'aria-label': 'Close' }}>
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
