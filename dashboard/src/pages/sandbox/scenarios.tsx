import { Code, Stack } from '@mantine/core';
import type { Schemas } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { ProblemAlert } from '../../ui/problem-alert';
import { buyAirtime, payBill } from './purchases';
import { Part } from './part';
import { IssuerScenarios, PaymentScenarios } from './money-scenarios';
import { RunScenario } from './run-scenario';
import { useScenarios } from './use-scenarios';

type End = Schemas['ScenarioEnd'];

/** Every value with a meaning, as the service tells them, each with a button that tries it. */
export function Scenarios() {
  const { data, error } = useScenarios();
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="scenarios" />;
  const { phones, header, bill_customers: customers } = data;
  const headerRuns = header.outcomes.flatMap(({ outcome, description, then_values }) =>
    (then_values.length > 0 ? then_values : [null]).map((then) => ({
      value: then === null ? `outcome=${outcome}` : `outcome=${outcome}; then=${then}`,
      description,
    })),
  );
  return (
    <Stack gap="lg">
      <Part
        title="Phone numbers"
        text={`${phones.description} Pattern ${phones.pattern}; X is a delay: ${phones.delays.map(({ digit, seconds }) => `${digit} = ${seconds} s`).join(', ')}.`}
      >
        <DataTable
          caption="Phone numbers with a meaning"
          rows={phones.outcomes}
          keyOf={({ code }) => code}
          columns={[
            { title: 'Phone', cell: ({ phone }) => <Code>{phone}</Code> },
            { title: 'What happens', cell: ({ description }) => description },
            { title: 'Ends', cell: ({ final }) => endText(final) },
            { title: 'Try', cell: ({ phone }) => <RunScenario label={phone} run={(key) => buyAirtime(phone, key)} /> },
          ]}
        />
      </Part>
      <Part title="The header" text={`${header.description} ${header.name}: ${header.example}`}>
        <DataTable
          caption="Values of the scenario header"
          rows={headerRuns}
          keyOf={({ value }) => value}
          columns={[
            { title: header.name, cell: ({ value }) => <Code>{value}</Code> },
            { title: 'What happens', cell: ({ description }) => description },
            {
              title: 'Try',
              cell: ({ value }) => (
                <RunScenario label={value} run={(key) => buyAirtime('+2348031234567', key, { [header.name]: value })} />
              ),
            },
          ]}
        />
      </Part>
      <Part title="Bill customers" text="Numbers of meters, smartcards and accounts.">
        <DataTable
          caption="Bill customers with a meaning"
          rows={customers}
          keyOf={({ customer_identifier, categories }) => `${customer_identifier} ${categories.join()}`}
          columns={[
            { title: 'Customer', cell: ({ customer_identifier }) => <Code>{customer_identifier}</Code> },
            { title: 'Of', cell: ({ categories }) => categories.join(', ') },
            { title: 'What happens', cell: ({ description }) => description },
            { title: 'Ends', cell: ({ final }) => endText(final) },
            {
              title: 'Try',
              cell: (customer) => (
                <RunScenario label={customer.customer_identifier} run={(key) => payBill(customer, key)} />
              ),
            },
          ]}
        />
      </Part>
      <PaymentScenarios outcomes={data.payments} />
      <IssuerScenarios cardholders={data.cardholders} />
    </Stack>
  );
}

const endText = ({ status, failure_code, error_code }: End): string =>
  [status ?? 'refused', failure_code ?? error_code].filter(Boolean).join(': ');
