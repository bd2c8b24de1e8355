import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface PartProps {
  readonly title: string;
  readonly text: string;
  /** Nothing of it is what is searched for. */
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}

/** A group of magic values of one kind. */
export function Part({ title, text, isEmpty, children }: PartProps) {
  if (isEmpty) return null;
  return (
    <section aria-label={title} className="scenarios">
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
