import { Button } from '@mantine/core';
import type { NewRows as Rows } from './use-new-rows';
import '../styles/live.css';

/** "12 new": pressed, they are at the top. */
export function NewRows({ fresh }: { fresh: Rows | null }) {
  return (
    <div role="status" className="new-rows">
      {fresh && (
        <Button size="xs" radius="xl" onClick={fresh.show}>
          {fresh.count}
          {fresh.isMore ? '+' : ''} new
        </Button>
      )}
    </div>
  );
}
