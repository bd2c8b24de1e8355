import { Stack, Text } from '@mantine/core';
import type { OperatorsApi } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { type CellAnswer, useAllCells, useSeveralCells } from '../../../session/cells';
import { type Column, DataTable, Loading } from '../../../ui/data-table';
import { Empty } from '../../../ui/empty';
import { AnchorLink } from '../../../ui/links';
import { moneyText } from '../../../ui/money';
import { PageHead } from '../../../ui/page-head';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { useFilters } from '../../../ui/use-filters';
import { useMode } from '../../../ui/use-mode';
import { Ago } from '../../../ui/when';
import { ModeChoice } from '../mode-choice';
import { Section } from '../section';
import { type BooksRow, type CellFigures, sumsOf } from './sums';
import { WithoutCells } from './without-cells';

/** Where work waits, and what all cells have together. */
export function CellsPage() {
  const isOffered = useSeveralCells();
  const isLive = useFilters().of !== 'test';
  const { data, error } = useAllCells(['figures'], readFigures);
  const sums = data && sumsOf(data, isLive);
  return (
    <>
      <PageHead title="Cells">
        <ModeChoice of="sums" current={isLive ? 'live' : 'test'} />
      </PageHead>
      <Stack gap="lg">
        {!isOffered && <Empty title="There is only one cell." />}
        <ProblemAlert error={error} />
        {isOffered && !data && !error && <Loading label="cells" />}
        {data && <CellTable cells={data} />}
        {data && <WithoutCells of={data} />}
        {sums?.length === 0 && <Empty title={`No money was ever moved in ${isLive ? 'live' : 'test'} mode.`} />}
        {sums?.map(({ currency, rows }) => (
          <Section key={currency} title={currency}>
            <DataTable
              caption={`${currency} by cell`}
              rows={rows}
              keyOf={({ cell }) => cell ?? ''}
              columns={columnsIn(currency)}
            />
          </Section>
        ))}
        {sums && sums.length > 0 && (
          <Text size="sm" c="dimmed">
            Each cell answers for itself: sums are not of one moment. Under way between cells is nothing, but for
            transfers that run now or wait for a cell that is away.
          </Text>
        )}
      </Stack>
    </>
  );
}

async function readFigures(api: OperatorsApi): Promise<CellFigures> {
  const [reviews, books] = await Promise.all([
    bodyOf(api.GET('/operators/open-reviews', { params: { query: { limit: 1 } } })),
    bodyOf(api.GET('/operators/books')),
  ]);
  return { waiting: reviews.total, oldest: reviews.data[0]?.created_at ?? null, books: books.data };
}

function CellTable({ cells }: { cells: readonly CellAnswer<CellFigures>[] }) {
  const mode = useMode();
  return (
    <DataTable
      caption="Cells"
      rows={cells}
      keyOf={({ name }) => name}
      columns={[
        {
          title: 'Cell',
          place: 'what',
          cell: ({ name, own, control }) =>
            [name, own && 'yours', control && 'control cell'].filter(Boolean).join(', '),
        },
        {
          title: 'State',
          place: 'state',
          cell: ({ answers }) => <StatusBadge status={answers ? 'answers' : 'away'} />,
        },
        { title: 'Slots', numeric: true, cell: ({ slots }) => slots.toLocaleString('en') },
        {
          title: 'Reviews',
          place: 'amount',
          numeric: true,
          cell: ({ name, answer }) =>
            answer && (
              <AnchorLink to="/$mode/reviews" params={{ mode }} search={{ cell: name } as never}>
                {answer.waiting.toLocaleString('en')} to review
              </AnchorLink>
            ),
        },
        {
          title: 'The oldest',
          place: 'time',
          cell: ({ answer }) => (answer?.oldest ? <Ago at={answer.oldest} /> : '–'),
        },
        {
          title: 'Books',
          place: 'who',
          cell: ({ answer }) =>
            answer && (
              <StatusBadge status={answer.books.every(({ balanced }) => balanced) ? 'in order' : 'not in order'} />
            ),
        },
      ]}
    />
  );
}

/** The last row is the sum. */
function columnsIn(currency: string): readonly Column<BooksRow>[] {
  const amount = (title: string, minorOf: (row: BooksRow) => bigint, place?: 'amount' | 'who'): Column<BooksRow> => ({
    title,
    place,
    numeric: true,
    cell: (row) => <span className="amount">{moneyText(minorOf(row), currency)}</span>,
  });
  return [
    { title: 'Cell', place: 'what', cell: ({ cell }) => cell ?? <strong>Together</strong> },
    amount('Money of customers', ({ customers }) => customers, 'amount'),
    amount('Accounts of the platform', ({ platform }) => platform, 'who'),
    amount('Under way between cells', ({ inTransit }) => inTransit),
    amount('All of it', ({ customers, platform }) => customers + platform),
  ];
}
