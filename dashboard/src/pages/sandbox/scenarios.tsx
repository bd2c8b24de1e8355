import { Code, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../api/public-api';
import { DataTable, Loading } from '../../ui/data-table';
import { ProblemAlert } from '../../ui/problem-alert';
import { buyAirtime, payBill } from './purchases';
import { endText, matching } from './matching-scenarios';
import { Part } from './part';
import { IssuerScenarios, PaymentScenarios } from './money-scenarios';
import { RunScenario } from './run-scenario';
import { useScenarios } from './use-scenarios';

/** Every value with a meaning, as the service tells them, each with a button that tries it. */
export function Scenarios() {
  const { data, error } = useScenarios();
  const [text, setText] = useState('');
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="scenarios" />;
  const { phones, header } = data;
  const { outcomes, headerRuns, customers, payments, cardholders } = matching(data, text);
  return (
    <Stack gap="lg">
      <TextInput
        type="search"
        label="Search the magic values"
        description="A value, an ending or a reason: reversed, operator_unavailable…"
        maw={420}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Part
        isEmpty={outcomes.length === 0}
        title="Phone numbers"
        text={`${phones.description} Pattern ${phones.pattern}; X is a delay: ${phones.delays.map(({ digit, seconds }) => `${digit} = ${seconds} s`).join(', ')}.`}
      >
        <DataTable
          caption="Phone numbers with a meaning"
          rows={outcomes}
          keyOf={({ code }) => code}
          columns={[
            { place: 'what', title: 'Phone', cell: ({ phone }) => <Code>{phone}</Code> },
            { place: 'who', title: 'What happens', cell: ({ description }) => description },
            { title: 'Ends', cell: ({ final }) => endText(final) },
            {
              place: 'amount',
              title: 'Try',
              cell: ({ phone }) => <RunScenario label={phone} run={(key) => buyAirtime(phone, key)} />,
            },
          ]}
        />
      </Part>
      <Part
        isEmpty={headerRuns.length === 0}
        title="The header"
        text={`${header.description} ${header.name}: ${header.example}`}
      >
        <DataTable
          caption="Values of the scenario header"
          rows={headerRuns}
          keyOf={({ value }) => value}
          columns={[
            { place: 'what', title: header.name, cell: ({ value }) => <Code>{value}</Code> },
            { place: 'who', title: 'What happens', cell: ({ description }) => description },
            {
              title: 'Try',
              place: 'amount',
              cell: ({ value }) => (
                <RunScenario label={value} run={(key) => buyAirtime('+2348031234567', key, { [header.name]: value })} />
              ),
            },
          ]}
        />
      </Part>
      <BillScenarios customers={customers} />
      <PaymentScenarios outcomes={payments} />
      <IssuerScenarios cardholders={cardholders} />
    </Stack>
  );
}

function BillScenarios({ customers }: { customers: readonly Schemas['BillCustomerScenario'][] }) {
  return (
    <Part isEmpty={customers.length === 0} title="Bill customers" text="Numbers of meters, smartcards and accounts.">
      <DataTable
        caption="Bill customers with a meaning"
        rows={customers}
        keyOf={({ customer_identifier, categories }) => `${customer_identifier} ${categories.join()}`}
        columns={[
          { place: 'what', title: 'Customer', cell: ({ customer_identifier }) => <Code>{customer_identifier}</Code> },
          { title: 'Of', cell: ({ categories }) => categories.join(', ') },
          { place: 'who', title: 'What happens', cell: ({ description }) => description },
          { title: 'Ends', cell: ({ final }) => endText(final) },
          {
            title: 'Try',
            place: 'amount',
            cell: (customer) => (
              <RunScenario label={customer.customer_identifier} run={(key) => payBill(customer, key)} />
            ),
          },
        ]}
      />
    </Part>
  );
}
