import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useId } from 'react';

/** Text that is to be copied whole: a secret, an id, a command. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { copy, copied, error } = useClipboard({ timeout: 3_000 });
  const id = useId();
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500} id={id}>
        {label}
      </Text>
      <Group gap="xs" align="flex-start" wrap="nowrap">
        <Code block className="copy-value" tabIndex={0} role="group" aria-labelledby={id}>
          {value}
        </Code>
        <Button variant="default" size="xs" onClick={() => copy(value)} aria-describedby={id}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      </Group>
      {error && <Text size="xs">Your browser does not let the page copy here. Select the text and copy it.</Text>}
    </Stack>
  );
}

/** A document as the API gives it. */
export function JsonBlock({ label, value }: { label: string; value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <Code block className="json" tabIndex={0} role="group" aria-label={label}>
      {text}
    </Code>
  );
}
