import { Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi } from '../../ui/use-mode';
import { COUNTRY_CODES, countryName, countryText } from './countries';
import { CodeChips } from './code-chips';
import { CATEGORY_CODES, categoryName, categoryText } from './merchant-categories';

type Controls = Schemas['SpendingControls'];
type ListName = 'allowed_mccs' | 'blocked_mccs' | 'allowed_countries' | 'blocked_countries';

interface Kind {
  readonly title: string;
  readonly field: string;
  readonly example: string;
  readonly allowed: ListName;
  readonly blocked: ListName;
  readonly codes: readonly string[];
  readonly textOf: (code: string) => string;
  /** A code out of what was typed: itself, itself with a name behind, or its name. Null: it is none. */
  readonly read: (text: string) => string | null;
}

const byName = (text: string, codes: readonly string[], nameOf: (code: string) => string | undefined) =>
  codes.find((code) => nameOf(code)?.toLowerCase() === text.trim().toLowerCase()) ?? null;

const KINDS: readonly Kind[] = [
  {
    title: 'Merchant categories',
    field: 'Category',
    example: 'Betting, or 7995',
    allowed: 'allowed_mccs',
    blocked: 'blocked_mccs',
    codes: CATEGORY_CODES,
    textOf: categoryText,
    read: (text) => /\b\d{4}\b/.exec(text)?.[0] ?? byName(text, CATEGORY_CODES, categoryName),
  },
  {
    title: 'Countries',
    field: 'Country',
    example: 'Nigeria, or NG',
    allowed: 'allowed_countries',
    blocked: 'blocked_countries',
    codes: COUNTRY_CODES,
    textOf: countryText,
    read: (text) => {
      const code = /^[a-z]{2}$|\(([A-Z]{2})\)/i.exec(text.trim());
      const letters = (code?.[1] ?? code?.[0])?.toUpperCase();
      return letters && countryName(letters) ? letters : byName(text, COUNTRY_CODES, countryName);
    },
  },
];

/** Where the card may pay: merchant categories and countries. Limits are beside them. */
export function CardControls({ card }: { card: Schemas['Card'] }) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {KINDS.map((kind) => (
        <KindOfControls key={kind.title} kind={kind} card={card} />
      ))}
    </SimpleGrid>
  );
}

function KindOfControls({ kind, card: { id, spending_controls: controls } }: { kind: Kind; card: Schemas['Card'] }) {
  const api = useApi();
  const mayChange = useMay().hasScope('cards:write');
  const titleId = useId();
  const change = useAction(
    (next: Controls) =>
      bodyOf(api.PATCH('/v4/cards/{id}', { params: { path: { id } }, body: { spending_controls: next } })),
    'What the card may pay is changed.',
  );
  const listOf = (name: ListName): readonly string[] => controls?.[name] ?? [];
  const put = (name: ListName, codes: readonly string[]) => change.mutate({ ...controls, [name]: [...codes] });
  const [allowed, blocked] = [listOf(kind.allowed), listOf(kind.blocked)];
  const whose = (name: ListName, codes: readonly string[], says: string) =>
    codes.length > 0 && (
      <CodeChips
        says={says}
        codes={codes}
        textOf={kind.textOf}
        onRemove={
          mayChange
            ? (code) =>
                put(
                  name,
                  codes.filter((other) => other !== code),
                )
            : undefined
        }
      />
    );
  return (
    <Stack component="section" gap="xs" aria-labelledby={titleId}>
      <Title order={2} size="h4" id={titleId}>
        {kind.title}
      </Title>
      {allowed.length === 0 && (
        <Text size="sm">{blocked.length === 0 ? 'All are allowed.' : 'All but these are allowed.'}</Text>
      )}
      {whose(kind.allowed, allowed, 'Only these')}
      {whose(kind.blocked, blocked, 'Never these')}
      {mayChange && (
        <AddCode
          kind={kind}
          isPending={change.isPending}
          onAdd={(isAllowed, code) => {
            const name = isAllowed ? kind.allowed : kind.blocked;
            put(name, [...new Set([...listOf(name), code])]);
          }}
        />
      )}
      <ProblemAlert error={change.error} />
    </Stack>
  );
}

interface AddCodeProps {
  readonly kind: Kind;
  readonly isPending: boolean;
  readonly onAdd: (isAllowed: boolean, code: string) => void;
}

function AddCode({ kind, isPending, onAdd }: AddCodeProps) {
  const listId = useId();
  const [unknown, setUnknown] = useState(false);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const { what = '', how } = fieldsOf(form);
    const code = kind.read(what);
    setUnknown(code === null);
    if (code === null) return;
    onAdd(how === 'allow', code);
    form.reset();
  }
  return (
    <form onSubmit={submit} aria-label={kind.title}>
      <Group align="flex-end" gap="xs">
        <NativeSelect
          name="how"
          label="Rule"
          data={[
            { value: 'block', label: 'never' },
            { value: 'allow', label: 'only' },
          ]}
        />
        <TextInput
          name="what"
          label={kind.field}
          placeholder={kind.example}
          list={listId}
          autoComplete="off"
          error={unknown && `No ${kind.field.toLowerCase()} is called so`}
          required
        />
        <Button type="submit" variant="default" loading={isPending}>
          Add
        </Button>
      </Group>
      <datalist id={listId}>
        {kind.codes.map((code) => (
          <option key={code}>{kind.textOf(code)}</option>
        ))}
      </datalist>
    </form>
  );
}
