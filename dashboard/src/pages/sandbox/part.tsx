import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A group of magic values of one kind. */
export function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h4">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {text}
      </Text>
      {children}
    </section>
  );
}
