import { Button, Checkbox, Input, Paper, Stack } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { FilterProps } from './filters';
import { useDropDown } from './use-drop-down';

/** Several of a list at once. */
export function SeveralFilter({ field: { name, label, options = [] }, value, onShow }: FilterProps) {
  const { opened, toggle, whole } = useDropDown();
  const chosen = value ? value.split(',') : [];
  const first = chosen[0]?.replaceAll('_', ' ') ?? 'any';
  const shown = chosen.length > 1 ? `${chosen.length} chosen` : first;
  return (
    <div className="several" ref={whole} role="group" aria-label={label}>
      <Input.Label size="sm" labelElement="div" aria-hidden="true">
        {label}
      </Input.Label>
      <Button
        variant="default"
        fw={400}
        aria-label={`${label}: ${shown}`}
        aria-expanded={opened}
        size="sm"
        px="sm"
        rightSection={<IconChevronDown size={14} stroke={1.6} aria-hidden="true" />}
        onClick={toggle}
      >
        {shown}
      </Button>
      {opened && (
        <Paper withBorder shadow="md" p="sm" className="choices">
          <Stack gap="xs">
            {options.map((option) => {
              const word = typeof option === 'string' ? option : option.value;
              return (
                <Checkbox
                  key={word}
                  name={name}
                  label={word.replaceAll('_', ' ')}
                  checked={chosen.includes(word)}
                  onChange={(event) => {
                    const others = chosen.filter((other) => other !== word);
                    onShow((event.currentTarget.checked ? [...others, word] : others).join(','));
                  }}
                />
              );
            })}
          </Stack>
        </Paper>
      )}
    </div>
  );
}
