import { CsvError, parse } from 'csv-parse/sync';
import { FieldRefused } from '../../core/errors/domain-error';

/** Rows as texts, in the form of the bodies that they stand for. */
export interface CsvRows {
  /** The header. */
  readonly columns: readonly string[];
  readonly rows: readonly Record<string, unknown>[];
}

/** A field of the body, or of an object in it: `bank.code`, `metadata.branch`. */
const COLUMN = /^[a-z][a-z0-9_]*(?:\.[A-Za-z0-9][A-Za-z0-9_-]{0,39})?$/;
/** As our own exports keep a cell from being a formula. */
const DEFUSED = /^'(?=[=+\-@])/;
/** A row that is longer is none of ours. */
const ROW_CHARS_MAX = 100_000;

/**
 * Reads CSV with a header (RFC 4180; a byte order mark, and empty lines, are skipped). A cell without text is a field
 * that is not there. Throws `FieldRefused` at `/csv`.
 */
export function csvRows(text: string, rowsMax: number): CsvRows {
  if (text.includes('\0')) throw invalid('The CSV holds U+0000.');
  try {
    const [header = [], ...lines] = parse(text, {
      bom: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: ROW_CHARS_MAX,
      // One too many tells that there are too many.
      to: rowsMax + 2,
    });
    checkHeader(header);
    return { columns: header, rows: lines.map((cells) => rowOf(header, cells)) };
  } catch (error) {
    if (error instanceof CsvError) throw invalid(`The CSV cannot be read: ${error.message}.`);
    throw error;
  }
}

/** The cell of a column, as text; empty when there is none. */
export function cellOf(row: Record<string, unknown>, column: string): string {
  const [name, of] = column.split('.') as [string, string?];
  const value = of === undefined ? row[name] : (row[name] as Record<string, unknown> | undefined)?.[of];
  return typeof value === 'string' ? value : '';
}

function checkHeader(header: readonly string[]): void {
  if (header.length === 0) throw invalid('The CSV is empty: its first line names the columns.');
  const strange = header.find((column) => !COLUMN.test(column));
  if (strange !== undefined) throw invalid(`${JSON.stringify(strange.slice(0, 60))} is not the name of a column.`);
  const names = new Set(header);
  if (names.size < header.length) throw invalid('The CSV has a column twice.');
  const plain = header.find((column) => header.some((other) => other.startsWith(`${column}.`)));
  if (plain !== undefined) throw invalid(`The column ${plain} cannot stand beside ${plain}.…`);
}

function rowOf(header: readonly string[], cells: readonly string[]): Record<string, unknown> {
  const row: Record<string, Record<string, string> | string> = {};
  for (const [i, column] of header.entries()) {
    const cell = (cells[i] ?? '').replace(DEFUSED, '');
    if (cell === '') continue;
    const [name, of] = column.split('.') as [string, string?];
    if (of === undefined) row[name] = cell;
    else row[name] = { ...(row[name] as Record<string, string> | undefined), [of]: cell };
  }
  return row;
}

const invalid = (detail: string): FieldRefused =>
  new FieldRefused('/csv', detail, { code: 'invalid_csv', title: 'Invalid CSV' });
