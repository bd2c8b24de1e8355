import type { DashboardSchemas } from '../../../api/dashboard-api';
import type { CellAnswer } from '../../../session/cells';

type Book = DashboardSchemas['Book'];

/** What a cell says of itself. */
export interface CellFigures {
  /** Reviews. */
  readonly waiting: number;
  readonly oldest: string | null;
  readonly books: readonly Book[];
}

/** Minor units of one currency. */
export interface BooksRow {
  /** Null: all cells that answered. */
  readonly cell: string | null;
  readonly customers: bigint;
  readonly platform: bigint;
  readonly inTransit: bigint;
}

/** By currency what each cell has of it, and then all of them. */
export function sumsOf(
  cells: readonly CellAnswer<CellFigures>[],
  isLive: boolean,
): readonly { readonly currency: string; readonly rows: readonly BooksRow[] }[] {
  const books = cells.flatMap(({ name, answer }) =>
    (answer?.books ?? []).filter(({ livemode }) => livemode === isLive).map((book) => ({ name, book })),
  );
  const currencies = [...new Set(books.map(({ book }) => book.currency))].sort();
  return currencies.map((currency) => {
    const rows = books.filter(({ book }) => book.currency === currency).map(({ name, book }) => rowOf(name, book));
    return { currency, rows: [...rows, rows.reduce(plus, NOTHING)] };
  });
}

const NOTHING: BooksRow = { cell: null, customers: 0n, platform: 0n, inTransit: 0n };

const plus = (sum: BooksRow, { customers, platform, inTransit }: BooksRow): BooksRow => ({
  cell: null,
  customers: sum.customers + customers,
  platform: sum.platform + platform,
  inTransit: sum.inTransit + inTransit,
});

function rowOf(cell: string, { customers, platform, accounts }: Book): BooksRow {
  const inTransit = accounts.filter(({ name }) => name === 'in_transit').map(({ balance }) => BigInt(balance));
  return {
    cell,
    customers: BigInt(customers),
    platform: BigInt(platform),
    inTransit: inTransit.reduce((sum, balance) => sum + balance, 0n),
  };
}
