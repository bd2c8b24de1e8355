import { Button, FileButton, Group, Text, Textarea } from '@mantine/core';
import type { Batch } from './batch-parts';

/** The columns of a file that works as it stands. */
const COLUMNS: Readonly<Record<Batch['kind'], string>> = {
  airtime: 'reference,phone,network,amount',
  data: 'reference,phone,plan_code',
  bill: 'reference,beneficiary_id,amount',
  transfer: 'reference,from_wallet,to_wallet,amount',
  payout: 'reference,amount,bank.code,bank.account_number,narration',
};

interface CsvFieldProps {
  readonly kind: Batch['kind'];
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** Rows from a file, or pasted. */
export function CsvField({ kind, value, onChange }: CsvFieldProps) {
  async function read(file: File | null) {
    if (file) onChange(await file.text());
  }
  return (
    <>
      <Group>
        <FileButton accept=".csv,text/csv,text/plain" onChange={(file) => void read(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              Choose a CSV file
            </Button>
          )}
        </FileButton>
        <Text size="sm">
          or paste it. Columns such as <code className="label">{COLUMNS[kind]}</code>; amounts in minor units.
        </Text>
      </Group>
      <Textarea
        label="CSV"
        required
        rows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  );
}
