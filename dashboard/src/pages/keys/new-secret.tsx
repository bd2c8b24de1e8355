import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { CopyField } from '../../ui/copy-field';

/** The only time that the secret is shown, with a command that proves it. */
export function NewSecret({
  made: { key, secret },
  onClose,
}: {
  made: DashboardSchemas['NewKey'];
  onClose: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <Alert variant="outline" color="teal" title={`“${key.name}”: copy it now`} ref={box} tabIndex={-1}>
      <Stack>
        <Text size="sm">It is shown this once. The service keeps only a hash of it; lost, it must be rolled.</Text>
        <CopyField label="Secret key" value={secret} />
        <CopyField
          label="Try it"
          value={`curl ${location.origin}/v4/account \\\n  -H 'Authorization: Bearer ${secret}'`}
        />
        <Group>
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Alert>
  );
}
