import { StreamableFile } from '@nestjs/common';
import { type XlsxColumn, xlsxBytes } from '../text/xlsx';

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Rows as a workbook that is an attachment of any length. */
export const xlsxFile = (
  filename: string,
  sheet: string,
  columns: readonly XlsxColumn[],
  rows: AsyncIterable<object>,
): StreamableFile =>
  new StreamableFile(xlsxBytes(sheet, columns, rows), {
    type: TYPE,
    disposition: `attachment; filename="${filename}"`,
  });
