/** For the terminal: what others wrote must not steer it. */
// oxlint-disable-next-line no-control-regex
export const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–';
  return plain(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Columns of a table, the most telling first. */
const TELLING = [
  'id',
  'code',
  'name',
  'label',
  'type',
  'kind',
  'status',
  'amount_display',
  'balance_display',
  'amount',
  'currency',
  'direction',
  'reference',
  'recipient',
  'url',
  'mode',
  'created_at',
];
const COLUMNS_MAX = 7;

type Row = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);
const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

function columnsOf(rows: readonly Row[]): string[] {
  const isFlat = (name: string): boolean =>
    rows.some((row) => row[name] !== undefined) && rows.every((row) => isScalar(row[name]));
  const names = Object.keys(rows[0]!).filter((name) => name !== 'object' && isFlat(name));
  const telling = TELLING.filter(
    (name) => names.includes(name) && !(name === 'amount' && names.includes('amount_display')),
  );
  return (telling.length > 1 ? telling : names).slice(0, COLUMNS_MAX);
}

/** Columns of equal width, as far as each needs. */
function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]!.length))) ?? [];
  return lines.map((line) =>
    line
      .map((text, at) => text.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}

function tableOf(rows: readonly Row[]): string[] {
  const columns = columnsOf(rows);
  return aligned([
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name) => cell(row[name]))),
  ]);
}

function factsOf(row: Row, before = ''): [string, string][] {
  return Object.entries(row).flatMap(([name, value]): [string, string][] =>
    isRow(value) && Object.keys(value).length > 0
      ? factsOf(value, `${before}${name}.`)
      : [[before + name, cell(value)]],
  );
}

/** An answer of the service, for people. */
export function shown(answer: unknown): string {
  if (!isRow(answer)) return cell(answer);
  const { data, has_more: hasMore, next_cursor: next } = answer;
  if (!Array.isArray(data) || !data.every(isRow)) return aligned(factsOf(answer)).join('\n');
  if (data.length === 0) return 'There is nothing.';
  return [...tableOf(data), ...(hasMore === true ? ['', `There is more: --cursor ${cell(next)}`] : [])].join('\n');
}

/** Facts under each other, those that are not there left out. */
export const listed = (facts: Row): string =>
  aligned(
    Object.entries(facts)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name.replaceAll('_', ' '), cell(value)]),
  ).join('\n');
