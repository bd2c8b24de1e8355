import { pipeline, Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify';

/**
 * Rows as an attachment of any length: read, turned to text and sent piece by piece, with a header line.
 * Cells that a spreadsheet would take for a formula are defused.
 */
export function csvFile(filename: string, columns: readonly string[], rows: AsyncIterable<object>): StreamableFile {
  const text = stringify({
    header: true,
    columns: [...columns],
    escape_formulas: true,
    cast: { date: (value) => value.toISOString(), boolean: String, object: (value) => JSON.stringify(value) },
  });
  // A fault half-way tears the connection, so that a cut export cannot be taken for a whole one.
  pipeline(Readable.from(rows), text, () => undefined);
  return new StreamableFile(text, {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${filename}"`,
  });
}
