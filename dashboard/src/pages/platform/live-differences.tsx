import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useOperators } from '../../session/cells';
import { DataTable, Loading } from '../../ui/data-table';
import { useAction } from '../../ui/use-action';
import { When } from '../../ui/when';
import { moneyText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { InCell } from './in-cell';
import { ReasonForm } from './reason-form';
import { Section } from './section';

type Difference = DashboardSchemas['ProviderDifference'];

const KINDS: Readonly<Record<Difference['kind'], string>> = {
  not_in_books: 'not in the books',
  not_in_statement: 'not in the statement',
  amount: 'another amount',
};

/** Where statements and books say something else, until somebody says why. */
export function LiveDifferences() {
  const operators = useOperators();
  const [shown, setShown] = useState<Difference | null>(null);
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'live', 'differences'],
    queryFn: () => bodyOf(operators.api.GET('/operators/live/differences')),
  });
  const close = () => setShown(null);
  return (
    <Section title="Differences">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          What statements of providers and our books say differently and nobody has explained. Amounts are what our
          money there went down by. Statements are compared by <code>provider:reconcile</code>.
        </Text>
        <ProblemAlert error={error} />
        {isPending && <Loading label="differences" />}
        {data && <DifferenceTable differences={data.data} onExplain={setShown} />}
      </Stack>
      <Modal opened={shown !== null} onClose={close} title={`Explain the difference of ${shown?.reference ?? ''}`}>
        {shown !== null && <ExplainForm id={shown.id} onExplained={close} />}
      </Modal>
    </Section>
  );
}

function DifferenceTable({
  differences,
  onExplain,
}: {
  differences: readonly Difference[];
  onExplain: (difference: Difference) => void;
}) {
  return (
    <DataTable
      caption="Differences"
      rows={differences}
      keyOf={({ id }) => id}
      empty="There is no difference."
      columns={[
        { title: 'Provider', cell: ({ provider }) => provider },
        { title: 'Difference', cell: ({ kind }) => KINDS[kind] },
        { title: 'Reference', cell: ({ reference, transaction }) => <Names names={[reference, transaction]} /> },
        { title: 'Books', cell: ({ ours, currency }) => moneyText(ours, currency), numeric: true },
        { title: 'Statement', cell: ({ theirs, currency }) => moneyText(theirs, currency), numeric: true },
        { title: 'Found', cell: ({ found_at }) => <When at={found_at} /> },
        {
          title: 'Actions',
          cell: (difference) => (
            <Button
              variant="default"
              size="xs"
              onClick={() => onExplain(difference)}
              aria-label={`Explain ${difference.reference}`}
            >
              Explain
            </Button>
          ),
        },
      ]}
    />
  );
}

function Names({ names }: { names: readonly (string | null)[] }) {
  return (
    <ul className="steps">
      {names.flatMap((name) =>
        name === null
          ? []
          : [
              <li key={name} className="json">
                {name}
              </li>,
            ],
      )}
    </ul>
  );
}

/** Closes a difference with the reason for it. */
function ExplainForm({ id, onExplained }: { id: string; onExplained: () => void }) {
  const operators = useOperators();
  const explaining = useAction(
    (reason: string) =>
      operators.api.POST('/operators/live/differences/{id}', { params: { path: { id } }, body: { reason } }),
    'The difference is explained.',
  );
  return (
    <ReasonForm
      action={explaining}
      description={
        <>
          Kept with the difference and in the audit log.
          <InCell />
        </>
      }
      button="Explain"
      onDone={onExplained}
    />
  );
}
