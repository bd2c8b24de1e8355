import { Button, Modal, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf } from '../../api/public-api';
import { useOperators } from '../../session/cells';
import { DataTable, Loading } from '../../ui/data-table';
import { moneyText, percentText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { FeeForm } from './fee-form';
import { type FeeRule, isFree, keyOf, nameOf } from './fee-rule';

/** What accounts pay beside an amount. */
export function FeesPage() {
  const operators = useOperators();
  const [shown, setShown] = useState<FeeRule | 'new' | null>(null);
  const fees = useQuery({
    queryKey: [...operators.key, 'fees'],
    queryFn: () => bodyOf(operators.api.GET('/operators/fees')),
  });
  const rules = fees.data?.data;
  const rule = shown === 'new' ? null : shown;
  const close = () => setShown(null);
  return (
    <>
      <PageHead title="Fees">{rules && <Button onClick={() => setShown('new')}>Add a fee</Button>}</PageHead>
      <Stack>
        <Text size="sm" c="dimmed">
          Flat plus percent of the amount, at most the cap, for accounts of the tier. Without a rule nothing is charged.
          A change counts within five seconds, for what is priced from then on.
        </Text>
        <ProblemAlert error={fees.error} />
        {fees.isPending && <Loading label="fees" />}
        {rules && <Fees rules={rules} onChange={setShown} />}
      </Stack>
      <Modal opened={shown !== null} onClose={close} title={rule ? `Change the fee: ${nameOf(rule)}` : 'Add a fee'}>
        {shown !== null && <FeeForm rule={rule} rules={rules ?? []} onSet={close} />}
      </Modal>
    </>
  );
}

function Fees({ rules, onChange }: { rules: readonly FeeRule[]; onChange: (rule: FeeRule) => void }) {
  return (
    <DataTable
      caption="Fees"
      rows={rules}
      keyOf={keyOf}
      empty="No fees yet: nothing is charged."
      columns={[
        { title: 'Product', cell: ({ product }) => product.replaceAll('_', ' ') },
        { title: 'Tier', cell: ({ tier }) => tier },
        { title: 'Currency', cell: ({ currency }) => currency },
        { title: 'Flat', cell: (rule) => (isFree(rule) ? 'Free' : moneyText(rule.flat, rule.currency)), numeric: true },
        {
          title: 'Percent',
          cell: (rule) => (isFree(rule) ? '–' : `${percentText(rule.basis_points)} %`),
          numeric: true,
        },
        {
          title: 'At most',
          cell: (rule) => (isFree(rule) || rule.cap === null ? '–' : moneyText(rule.cap, rule.currency)),
          numeric: true,
        },
        {
          title: 'Actions',
          cell: (rule) => (
            <Button variant="default" size="xs" onClick={() => onChange(rule)} aria-label={`Change ${nameOf(rule)}`}>
              Change
            </Button>
          ),
        },
      ]}
    />
  );
}
