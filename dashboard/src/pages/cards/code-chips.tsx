import { ActionIcon, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';

interface CodeChipsProps {
  readonly says: string;
  readonly codes: readonly string[];
  readonly textOf: (code: string) => string;
  readonly onRemove?: ((code: string) => void) | undefined;
}

/** Codes by their names, each with a button that takes it away. */
export function CodeChips({ says, codes, textOf, onRemove }: CodeChipsProps) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {says}
      </Text>
      <ul className="chips" aria-label={says}>
        {codes.map((code) => (
          <li key={code}>
            {textOf(code)}
            {onRemove && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                aria-label={`Remove ${textOf(code)}`}
                onClick={() => onRemove(code)}
              >
                <IconX size={14} aria-hidden="true" />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
