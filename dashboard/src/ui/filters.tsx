import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { SeveralFilter } from './several-filter';
import { useFilters } from './use-filters';

export interface FilterField {
  readonly name: string;
  readonly label: string;
  /** Choices of a list; else a field to type in. */
  readonly options?: readonly (string | { value: string; label: string })[];
  /** Several of the choices at once, by commas. */
  readonly several?: boolean;
  readonly type?: 'text' | 'date';
  /** What is wrong with a text; it is not looked for then. */
  readonly problem?: (text: string) => string | null;
  /** A part of it means nothing: sent with Enter, or when the field is left. */
  readonly whole?: boolean;
  /** Why nothing can be typed yet. */
  readonly locked?: string;
}

export interface FilterProps {
  readonly field: FilterField;
  readonly value: string;
  /** `replace`: of a text that is typed, the way back leads to before it, not through its letters. */
  readonly onShow: (value: string, replace?: boolean) => void;
}

type Filters = ReturnType<typeof useFilters>;

const TYPING_MS = 400;
/** More than so many are behind a button on a narrow screen. */
const SHOWN_MAX = 3;

/** Filters apply at once, and live in the address, so that a view can be linked to and gone back to. */
export function FilterBar({ fields }: { fields: readonly FilterField[] }) {
  const filters = useFilters();
  const navigate = useNavigate();
  const [opened, { toggle }] = useDisclosure();
  const show = (wanted: Filters, replace = false) =>
    void navigate({ to: '.', replace, search: ((before: Filters) => ({ ...before, ...wanted })) as never });
  const filled = fields.filter(({ name }) => filters[name]);
  const folds = fields.length > SHOWN_MAX;
  return (
    <div role="search" aria-label="Filters">
      {folds && (
        <Button hiddenFrom="sm" variant="default" mb="xs" aria-expanded={opened} onClick={toggle}>
          {filled.length > 0 ? `Filters (${filled.length})` : 'Filters'}
        </Button>
      )}
      <Group align="flex-end" gap="xs" mb="md" className={folds && !opened ? 'filters filters-folded' : 'filters'}>
        {fields.map((field) => (
          <Filter
            key={field.name}
            field={field}
            value={filters[field.name] ?? ''}
            onShow={(value, replace) => show({ [field.name]: value || undefined }, replace)}
          />
        ))}
        {filled.length > 0 && (
          <Button
            size="sm"
            variant="subtle"
            onClick={() => show(Object.fromEntries(filled.map(({ name }) => [name, undefined])))}
          >
            Clear
          </Button>
        )}
      </Group>
    </div>
  );
}

function Filter(props: FilterProps) {
  const { field, value, onShow } = props;
  if (!field.options) return <TypedFilter {...props} />;
  if (field.several) return <SeveralFilter {...props} />;
  return (
    <NativeSelect
      name={field.name}
      label={field.label}
      size="sm"
      value={value}
      data={[{ value: '', label: 'any' }, ...field.options]}
      onChange={(event) => onShow(event.currentTarget.value)}
    />
  );
}

/** Sent as soon as typing pauses; with Enter at once. */
function TypedFilter({ field, value, onShow }: FilterProps) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  // Changed by the way back or by "Clear"; what was sent from here may be behind what is typed by now.
  if (value !== seen) {
    setSeen(value);
    if (value !== sent) setText(value);
  }
  const problem = text && field.problem ? field.problem(text) : null;
  const send = (next: string) => {
    const wanted = next.trim();
    if (wanted === value || (wanted && field.problem?.(wanted))) return;
    setSent(wanted);
    onShow(wanted, true);
  };
  const sendSoon = useDebouncedCallback(send, TYPING_MS);
  const onEnter = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') send(text);
  };
  return (
    <TextInput
      name={field.name}
      label={field.label}
      size="sm"
      type={field.type ?? 'text'}
      value={text}
      error={problem}
      disabled={field.locked !== undefined}
      placeholder={field.locked}
      onKeyDown={onEnter}
      onChange={(event) => {
        setText(event.currentTarget.value);
        if (!field.whole) sendSoon(event.currentTarget.value);
      }}
      onBlur={() => field.whole && send(text)}
    />
  );
}
