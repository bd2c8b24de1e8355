import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A part of a page, with its heading and what can be done about all of it. */
export function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="section-head">
        <Title order={2} size="h4" id={id} mb="xs">
          {title}
        </Title>
        {action}
      </div>
      {children}
    </section>
  );
}
