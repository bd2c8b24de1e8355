import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useState } from 'react';
import { wholeText } from './data-table';
import { useWallets, type WalletFilter, type WalletRow } from './use-wallets';

interface WalletPickerProps {
  readonly label: string;
  readonly wanted: WalletFilter;
  /** Null: `otherwise`, or nothing. */
  readonly picked: WalletRow | null;
  readonly onPick: (wallet: WalletRow | null) => void;
  /** The id of one that is not offered. */
  readonly except?: string;
  /** What else may be picked. */
  readonly otherwise?: string;
}

const SEARCH_WAIT_MS = 200;

const toOption = ({ id, label, available_display }: WalletRow) => ({
  value: id,
  label: `${label ?? `…${id.slice(-6)}`} · ${available_display}`,
});

/** A wallet out of hundreds: where not all are offered at once, the service looks for it by label, currency or id. */
export function WalletPicker({ label, wanted, picked, onPick, except, otherwise }: WalletPickerProps) {
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), SEARCH_WAIT_MS);
  const list = useWallets({ ...wanted, ...(q && { q }) });
  const rows = list.rows.filter(({ id }) => id !== except);
  const isKnown = picked === null || rows.some(({ id }) => id === picked.id);
  const offered = isKnown ? rows : [picked, ...rows];
  const isPart = list.hasNextPage || text !== '';
  return (
    <Stack gap={4}>
      {isPart && (
        <TextInput
          type="search"
          size="xs"
          label={`Search for “${label}”`}
          description={`Label, reference, currency or id; ${wholeText(list.rows.length, list.total ?? 0)} below`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={doNotSubmit}
        />
      )}
      <NativeSelect
        label={label}
        data={[...offered.map(toOption), ...(otherwise ? [{ value: '', label: otherwise }] : [])]}
        value={picked?.id ?? ''}
        onChange={(event) => onPick(offered.find(({ id }) => id === event.currentTarget.value) ?? null)}
      />
      {list.hasNextPage && (
        <Group>
          <Button
            size="compact-xs"
            variant="subtle"
            loading={list.isFetchingNextPage}
            onClick={() => list.fetchNextPage()}
          >
            More wallets
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Of a field that only narrows a list, Enter does not send the form. */
function doNotSubmit(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}
