import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/** A number that is written already, such as `-12.50`: no formula, though it may begin like one. */
export class CsvNumber {
  constructor(readonly text: string) {}
}

/**
 * Rows as text of any length, piece by piece, with a header line. Cells that a spreadsheet would take for a formula are
 * defused. `bom`: with the mark by which a spreadsheet that is given the file as it is knows UTF-8.
 */
export function csvText(columns: readonly string[], rows: AsyncIterable<object>, { bom = false } = {}): Readable {
  const text = stringify({
    bom,
    header: true,
    columns: [...columns],
    escape_formulas: true,
    cast: {
      date: (value) => value.toISOString(),
      boolean: String,
      object: (value) =>
        value instanceof CsvNumber ? { value: value.text, escape_formulas: false } : JSON.stringify(value),
    },
  });
  // A fault half-way tears the connection, so that a cut export cannot be taken for a whole one.
  pipeline(Readable.from(rows), text, () => undefined);
  return text;
}
