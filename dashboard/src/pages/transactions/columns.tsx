import { Checkbox, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useMe } from '../../session/session';
import type { Column } from '../../ui/data-table';
import { ListTool } from '../../ui/list-tool';

/** The person's own choice of columns, kept in this browser; at first those that are not `optional`. */
export function useColumns<Row>(list: string, all: readonly Column<Row>[], optional: readonly string[]) {
  const { user } = useMe();
  const place = `columns ${list} ${user.id}`;
  const [hidden, setHidden] = useState(() => remembered(place) ?? optional);
  const columns = useMemo(
    () => all.map((column) => ({ ...column, hidden: hidden.includes(column.title) })),
    [all, hidden],
  );
  const choose = (title: string, shown: boolean) => {
    const others = hidden.filter((other) => other !== title);
    const next = shown ? others : [...others, title];
    localStorage.setItem(place, JSON.stringify(next));
    setHidden(next);
  };
  return { columns, choose };
}

function remembered(place: string): readonly string[] | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? 'null');
    return Array.isArray(kept) && kept.every((title) => typeof title === 'string') ? kept : null;
  } catch {
    return null;
  }
}

interface ColumnsChoiceProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly choose: (title: string, shown: boolean) => void;
}

/** The last column that is shown stays. */
export function ColumnsChoice<Row>({ columns, choose }: ColumnsChoiceProps<Row>) {
  const shown = columns.filter(({ hidden }) => !hidden).length;
  return (
    <ListTool label="Columns">
      <Stack gap="xs" role="group" aria-label="Columns that are shown">
        {columns.map(({ title, hidden }) => (
          <Checkbox
            key={title}
            label={title}
            checked={!hidden}
            disabled={!hidden && shown === 1}
            onChange={(event) => choose(title, event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </ListTool>
  );
}
