import { StreamableFile } from '@nestjs/common';
import { csvText } from '../text/csv';

/** Rows as an attachment of any length: read, turned to text and sent piece by piece, with a header line. */
export const csvFile = (
  filename: string,
  columns: readonly string[],
  rows: AsyncIterable<object>,
  options?: { readonly bom?: boolean },
): StreamableFile =>
  new StreamableFile(csvText(columns, rows, options), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${filename}"`,
  });
