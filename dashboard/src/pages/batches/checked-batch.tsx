import { Alert, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { AnchorLink } from '../../ui/links';
import { ProblemAlert } from '../../ui/problem-alert';
import { useMode } from '../../ui/use-mode';
import { BatchItems } from './batch-items';
import { type Batch, BatchProgress, countOf, isWorkedOn, Shortfalls, useBatch } from './batch-parts';

interface CheckedBatchProps {
  /** As it was answered; read on as long as its rows are looked at. */
  readonly checked: Batch;
  readonly skipsInvalid: boolean;
  /** Whether it can be started. */
  readonly onJudged: (startable: boolean) => void;
}

/** What a batch would do: what it costs, and each row that is not valid, by its number and why. */
export function CheckedBatch({ checked, skipsInvalid, onJudged }: CheckedBatchProps) {
  const mode = useMode();
  const { data, error } = useBatch(checked.id);
  const batch = data ?? checked;
  const { counts } = batch;
  const isRead = !isWorkedOn(batch);
  const bad = counts.invalid;
  const startable = isRead && (bad === 0 || (skipsInvalid && bad < countOf(counts)));
  useEffect(() => onJudged(startable), [startable, onJudged]);
  return (
    <section aria-label="What it would do">
      <Stack gap="xs">
        <ProblemAlert error={error} />
        <BatchProgress batch={batch} />
        {isRead && (
          <Alert
            role="status"
            variant="outline"
            color={startable ? 'teal' : 'red'}
            title={startable ? `It would take ${batch.total_display ?? 'nothing'}` : 'It cannot be started'}
          >
            <Text size="sm">
              {bad === 0
                ? 'All rows are valid.'
                : `${bad} of ${countOf(counts)} rows are not valid${skipsInvalid ? ', and are left out.' : '.'}`}{' '}
              {batch.id && (
                <AnchorLink to="/$mode/batches/$id" params={{ mode, id: batch.id }}>
                  This check
                </AnchorLink>
              )}
            </Text>
          </Alert>
        )}
        <Shortfalls batch={batch} />
        {bad > 0 && batch.id && (
          <BatchItems id={batch.id} title="Rows that are not valid" status="invalid" running={!isRead} />
        )}
      </Stack>
    </section>
  );
}
