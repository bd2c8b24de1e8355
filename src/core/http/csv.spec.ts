import { text } from 'node:stream/consumers';
import { csvFile } from './csv';
import { CsvNumber } from '../text/csv';

/** The cells of one row, as they stand in the file. */
async function cellsOf(row: Record<string, unknown>): Promise<string> {
  const columns = Object.keys(row);
  const file = csvFile(
    'rows.csv',
    columns,
    (async function* () {
      yield row;
    })(),
  );
  return (await text(file.getStream())).split('\n')[1]!;
}

it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1+1', '\r=1+1'])(
  '%j in a text that others wrote is no formula',
  async (said) => {
    const cells = await cellsOf({ reference: said, label: said, narration: said });
    expect(cells.split(',')).toEqual(Array(3).fill(expect.stringMatching(/^"?'/)));
  },
);

it('a negative amount stays a number', async () => {
  expect(await cellsOf({ amount: -700, reference: 'a:b-1' })).toBe('-700,a:b-1');
});

it('so does one with decimals', async () => {
  expect(await cellsOf({ amount: new CsvNumber('-7.00'), reference: '-7.00' })).toBe("-7.00,'-7.00");
});
