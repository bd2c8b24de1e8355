import { Button, Paper } from '@mantine/core';
import { useClickOutside, useDisclosure, useWindowEvent } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** A button above a list, and what it opens: closed with Escape or a click beside it. */
export function ListTool({ label, children }: { label: string; children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const whole = useClickOutside<HTMLDivElement>(close);
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !opened) return;
    close();
    whole.current?.querySelector('button')?.focus();
  });
  return (
    <div className="list-tool" ref={whole}>
      <Button variant="default" size="sm" aria-expanded={opened} onClick={toggle}>
        {label}
      </Button>
      {opened && (
        <Paper withBorder shadow="md" p="sm" className="choices">
          {children}
        </Paper>
      )}
    </div>
  );
}
