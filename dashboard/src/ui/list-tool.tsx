import { Button, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDropDown } from './use-drop-down';

/** A button above a list, and what it opens. */
export function ListTool({ label, children }: { label: string; children: ReactNode }) {
  const { opened, toggle, whole } = useDropDown();
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
