import { Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** A list without rows: that it is so, and what one does next. */
export function Empty({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="empty">
      <IconInbox size={28} stroke={1.4} aria-hidden="true" />
      <Text fw={500}>{title}</Text>
      {children}
    </div>
  );
}
