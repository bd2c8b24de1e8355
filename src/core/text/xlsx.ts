import { Readable } from 'node:stream';
import { writeXlsxStream } from 'hucre/xlsx';

export interface XlsxColumn {
  readonly key: string;
  /** As spreadsheets write it, such as `#,##0.00`. */
  readonly numFmt?: string;
  /** In characters. */
  readonly width?: number;
}

/**
 * Rows as a workbook of any length: read and packed piece by piece, with a header line that stays in sight. A text is
 * never a formula there. Dates are shown as the clock in them says, in UTC.
 */
export function xlsxBytes(sheet: string, columns: readonly XlsxColumn[], rows: AsyncIterable<object>): Readable {
  const titled = columns.map((column) => ({ ...column, header: column.key }));
  const packed = writeXlsxStream(rows as AsyncIterable<Record<string, unknown>>, {
    name: sheet,
    columns: titled,
    freezePane: { rows: 1 },
  });
  return Readable.fromWeb(packed as Parameters<typeof Readable.fromWeb>[0]);
}
