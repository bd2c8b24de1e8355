import { Alert } from '@mantine/core';
import type { CellAnswer } from '../../../session/cells';

/** What is shown of all cells says which of them it is without. */
export function WithoutCells({ of }: { of: readonly CellAnswer<unknown>[] }) {
  const away = of.filter(({ answer }) => answer === null).map(({ name }) => name);
  if (away.length === 0) return null;
  return (
    <Alert
      role="status"
      color="yellow"
      variant="outline"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      title={`Without ${away.join(' and ')}: ${away.length === 1 ? 'this cell does' : 'these cells do'} not answer.`}
    />
  );
}
