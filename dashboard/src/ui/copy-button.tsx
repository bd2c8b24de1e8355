import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies a text that stands beside it. In a table it shows itself with the row. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { copy, copied } = useClipboard({ timeout: 2_000 });
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <ActionIcon
      className="copy-button"
      variant="subtle"
      color="gray"
      size={24}
      onClick={() => copy(value)}
      aria-label={copied ? 'Copied' : `Copy ${label}`}
      data-copied={copied || undefined}
    >
      <Icon size={14} stroke={1.6} aria-hidden="true" />
    </ActionIcon>
  );
}
