import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { CopyField } from '../../ui/copy-field';

export function EndpointSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <Alert variant="outline" color="teal" title="The signing secret" ref={box} tabIndex={-1}>
      <Stack>
        <Text size="sm">
          Your receiver checks with it that a request came from here. Copy it now, and keep it where only your receiver
          reads it.
        </Text>
        <CopyField label="Signing secret" value={secret} />
        <Group>
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Alert>
  );
}
