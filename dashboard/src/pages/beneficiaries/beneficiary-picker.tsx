import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useApi, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';

export type Beneficiary = Schemas['Beneficiary'];

const WAIT_MS = 200;

interface BeneficiaryPickerProps {
  readonly kind: Beneficiary['kind'];
  readonly picked: Beneficiary | null;
  readonly onPick: (beneficiary: Beneficiary | null) => void;
}

/** Somebody who is paid again and again, found by a part of the label, the name or the number. */
export function BeneficiaryPicker({ kind, picked, onPick }: BeneficiaryPickerProps) {
  const mode = useMode();
  const api = useApi();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), WAIT_MS);
  const list = usePages([mode, 'beneficiaries', kind, q], (cursor) =>
    bodyOf(api.GET('/v4/beneficiaries', { params: { query: { kind, cursor, limit: 100, ...(q && { q }) } } })),
  );
  const isKnown = picked === null || list.rows.some(({ id }) => id === picked.id);
  const offered = isKnown ? list.rows : [picked, ...list.rows];
  return (
    <Stack gap={4}>
      {(list.hasNextPage || text !== '') && (
        <TextInput
          type="search"
          size="xs"
          label="Search for a beneficiary"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <NativeSelect
        label="Beneficiary"
        required
        value={picked?.id ?? ''}
        data={[
          { value: '', label: offered.length > 0 ? 'Choose somebody' : 'Nobody is kept yet' },
          ...offered.map(({ id, label, verified_name: name }) => ({
            value: id,
            label: name && name !== label ? `${label} · ${name}` : label,
          })),
        ]}
        onChange={(event) => onPick(offered.find(({ id }) => id === event.currentTarget.value) ?? null)}
      />
    </Stack>
  );
}
