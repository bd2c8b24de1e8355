import { Stack, Title } from '@mantine/core';
import { bodyOf, type Schemas } from '../../api/public-api';
import { type Column, PagedTable } from '../../ui/data-table';
import { sumText } from '../../ui/money';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';

type Day = Schemas['WalletDay'];

const PAGE_DAYS = 90;
const DAY_DIGITS = 12;

/** Closed days of a wallet, newest first. */
export function useDays(walletId: string) {
  const mode = useMode();
  const api = useApi();
  return usePages([mode, 'wallet', walletId, 'days'], (cursor) =>
    bodyOf(
      api.GET('/v4/wallets/{id}/days', { params: { path: { id: walletId }, query: { cursor, limit: PAGE_DAYS } } }),
    ),
  );
}

const money = (minor: number | null, { currency }: Day) => <span className="amount">{sumText(minor, currency)}</span>;

const COLUMNS: readonly Column<Day>[] = [
  { title: 'Day', cell: ({ date }) => date, place: 'what' },
  { title: 'Opening', cell: (day) => money(day.opening, day), numeric: true },
  { title: 'In', cell: (day) => money(day.total_in, day), numeric: true },
  { title: 'Out', cell: (day) => money(day.total_out, day), numeric: true },
  { title: 'Closing', cell: (day) => money(day.closing, day), numeric: true, place: 'amount' },
  {
    title: 'Transactions',
    cell: ({ counts }) => Object.values(counts).reduce((sum, count) => sum + count, 0),
    numeric: true,
    place: 'time',
  },
  {
    title: 'Hash',
    cell: ({ hash }) => (
      <span className="id" title={hash}>
        {hash.slice(0, DAY_DIGITS)}…
      </span>
    ),
    place: 'who',
  },
];

/** What will never change any more: each day with the hash that has that of the day before in it. */
export function WalletDays({ list }: { list: ReturnType<typeof useDays> }) {
  return (
    <section aria-label="Closed days">
      <Stack gap="xs">
        <Title order={2} size="h4">
          Closed days
        </Title>
        <PagedTable
          caption="Closed days"
          list={list}
          keyOf={({ id }) => id}
          empty="No day is closed yet. The first is just after the next midnight of the account."
          columns={COLUMNS}
        />
      </Stack>
    </section>
  );
}
