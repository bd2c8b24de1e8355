import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useApi, useMode } from '../../ui/use-mode';

export type Bank = Schemas['Bank'];

const WAIT_MS = 200;
const OFFERED_MAX = 100;

interface BankPickerProps {
  readonly picked: Bank | null;
  readonly onPick: (bank: Bank | null) => void;
}

/** A bank out of hundreds: the service looks for it by its name. */
export function BankPicker({ picked, onPick }: BankPickerProps) {
  const mode = useMode();
  const api = useApi();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), WAIT_MS);
  const { data } = useQuery({
    queryKey: [mode, 'banks', q],
    queryFn: () => bodyOf(api.GET('/v4/banks', { params: { query: { limit: OFFERED_MAX, ...(q && { q }) } } })),
    placeholderData: keepPreviousData,
  });
  const found = data?.data ?? [];
  const offered = picked && !found.some(({ code }) => code === picked.code) ? [picked, ...found] : found;
  return (
    <Stack gap={4}>
      <TextInput
        type="search"
        size="xs"
        label="Search for a bank"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <NativeSelect
        label="Bank"
        required
        value={picked?.code ?? ''}
        data={[
          { value: '', label: data?.next_cursor ? `Choose: the first ${found.length} are here` : 'Choose a bank' },
          ...offered.map(({ code, name, available }) => ({
            value: code,
            label: available ? name : `${name} (cannot be reached now)`,
          })),
        ]}
        onChange={(event) => onPick(offered.find(({ code }) => code === event.currentTarget.value) ?? null)}
      />
    </Stack>
  );
}
