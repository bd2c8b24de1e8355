import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { fieldsOf } from './form-fields';

export interface FilterField {
  readonly name: string;
  readonly label: string;
  /** Choices of a list; else a field to type in. */
  readonly options?: readonly (string | { value: string; label: string })[];
  readonly type?: 'text' | 'date';
}

/** What the address of the page filters by. */
export const useFilters = (): Readonly<Record<string, string | undefined>> => useSearch({ strict: false });

/** Filters live in the address, so that a view can be linked to and gone back to. */
export function FilterBar({
  fields,
  keep = {},
}: {
  fields: readonly FilterField[];
  keep?: Readonly<Record<string, string | undefined>>;
}) {
  const filters = useFilters();
  const navigate = useNavigate();
  const show = (wanted: Readonly<Record<string, string | undefined>>) => {
    const set = Object.entries({ ...keep, ...wanted }).filter(([, value]) => value);
    void navigate({ to: '.', search: Object.fromEntries(set) as never });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    show(fieldsOf(event.currentTarget));
  };
  const filled = fields.some(({ name }) => filters[name]);
  return (
    // The key empties the fields when the address changes in another way than by this form.
    <form onSubmit={submit} key={JSON.stringify(filters)} role="search" aria-label="Filters">
      <Group align="flex-end" gap="xs" mb="md" className="filters">
        {fields.map((field) => (
          <Filter key={field.name} field={field} value={filters[field.name] ?? ''} />
        ))}
        <Button type="submit" size="sm" variant="default">
          Apply
        </Button>
        {filled && (
          <Button size="sm" variant="subtle" onClick={() => show({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}

function Filter({ field: { name, label, options, type = 'text' }, value }: { field: FilterField; value: string }) {
  const shared = { name, label, size: 'sm', defaultValue: value } as const;
  if (options) return <NativeSelect {...shared} data={[{ value: '', label: 'any' }, ...options]} />;
  return <TextInput {...shared} type={type} />;
}
