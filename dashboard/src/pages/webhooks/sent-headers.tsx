import { Button, Stack, Text, TextInput } from '@mantine/core';
import type { EndpointHeaders } from './endpoint-changes';

interface HeadersProps {
  readonly headers: EndpointHeaders;
  readonly onChange: (headers: EndpointHeaders) => void;
}

/** Headers that are sent along. What is kept is known by its name only: its value can be replaced, not read. */
export function SentHeaders({ headers: { kept, added }, onChange }: HeadersProps) {
  const change = (at: number, part: Partial<(typeof added)[number]>) =>
    onChange({ kept, added: added.map((header, index) => (index === at ? { ...header, ...part } : header)) });
  return (
    <Stack gap="xs" role="group" aria-label="Headers that are sent along">
      <Text size="sm" fw={500}>
        Headers that are sent along
      </Text>
      {kept.map((name) => (
        <div className="header-row" key={name}>
          <span className="id">{name}</span>
          <span aria-label={`The value of ${name} is kept and not shown`}>••••</span>
          <Button
            variant="subtle"
            size="xs"
            aria-label={`Remove ${name}`}
            onClick={() => onChange({ kept: kept.filter((other) => other !== name), added })}
          >
            Remove
          </Button>
        </div>
      ))}
      {added.map(({ key, name, value }, at) => (
        <div className="header-row" key={key}>
          <TextInput
            label="Name"
            value={name}
            placeholder="x-api-key"
            onChange={(event) => change(at, { name: event.currentTarget.value })}
          />
          <TextInput
            label="Value"
            value={value}
            autoComplete="off"
            onChange={(event) => change(at, { value: event.currentTarget.value })}
          />
          <Button
            variant="subtle"
            size="xs"
            aria-label={`Remove the new header ${name}`}
            onClick={() => onChange({ kept, added: added.filter((_, index) => index !== at) })}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          onClick={() => onChange({ kept, added: [...added, { key: Date.now() + added.length, name: '', value: '' }] })}
        >
          Add a header
        </Button>
      </div>
      <Text size="xs" c="dimmed">
        Values are not shown again. They are dropped when the address moves to another host.
      </Text>
    </Stack>
  );
}
