import { Alert } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange);

/** Without a connection the pages keep what they have read. */
export function OfflineBar() {
  const online = useSyncExternalStore(subscribe, () => onlineManager.isOnline());
  if (online) return null;
  return (
    <Alert role="status" color="orange" variant="outline" mb="md" title="You are offline">
      What is shown was read before. It is read again as soon as there is a connection.
    </Alert>
  );
}
