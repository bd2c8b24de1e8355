import { Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

/** The heading of a page, its title in the browser's tab, and its actions. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Duka`;
  }, [title]);
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Title order={1} size="h2" className="page-title">
        {title}
      </Title>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
