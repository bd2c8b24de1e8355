import { Alert, Button, Modal, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { Loading, PagedTable } from '../../ui/data-table';
import { Facts } from '../../ui/facts';
import { ButtonLink, IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useApi, useLivemode, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { CARD_COLUMNS } from '../cards/card-columns';
import { countryText } from '../cards/countries';
import { USE_COLUMNS } from '../cards/use-columns';
import { documentText } from './customer-fields';
import { EditCustomerForm } from './customer-form';
import { CustomerKyc } from './customer-kyc';

const POLL_MS = 2_000;

/** Somebody who holds cards: who they are, how far they are known, their cards and what was done with them. */
export function CustomerPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const api = useApi();
  const mayWrite = useMay().hasScope('cards:write');
  const { data: customer, error } = useQuery({
    queryKey: [mode, 'customer', id],
    queryFn: () => bodyOf(api.GET('/v4/customers/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data?.kyc_status === 'pending' ? POLL_MS : false),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!customer) return <Loading label="customer" />;
  const isGone = customer.anonymized_at !== null;
  return (
    <Stack gap="lg">
      <PageHead title={isGone ? 'Anonymized customer' : `${customer.first_name} ${customer.last_name}`}>
        {mayWrite && !isGone && (
          <>
            <Edit customer={customer} />
            <ButtonLink to="/$mode/cards" params={{ mode }} search={{ new: '1', customer_id: id } as never} size="xs">
              Issue a card
            </ButtonLink>
          </>
        )}
      </PageHead>
      {isGone && (
        <Alert variant="outline" color="gray" title="What was personal is gone">
          An operator emptied it. Such a customer cannot be changed and gets no cards.
        </Alert>
      )}
      <Facts items={factsOf(customer)} />
      {!isGone && <CustomerKyc customer={customer} />}
      <Cards customerId={id} />
      <Uses customerId={id} />
    </Stack>
  );
}

function factsOf(customer: Schemas['Customer']) {
  const { address, identity } = customer;
  const place = [address.line1, address.city, address.state, address.postal_code].filter(Boolean).join(', ');
  return [
    ['Id', <IdLink key="id" id={customer.id} />],
    ['E-mail', customer.email || null],
    ['Phone', customer.phone || null],
    ['Date of birth', customer.date_of_birth || null],
    ['Address', place ? `${place}, ${countryText(address.country)}` : null],
    ['Document', identity.number ? `${documentText(identity.type)} ${identity.number}` : null],
    ['Registered', <When key="registered" at={customer.created_at} />],
  ] as const;
}

function Edit({ customer }: { customer: Schemas['Customer'] }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        Edit
      </Button>
      <Modal opened={opened} onClose={close} title="Edit the customer" size="lg">
        <EditCustomerForm customer={customer} onDone={close} />
      </Modal>
    </>
  );
}

function Cards({ customerId }: { customerId: string }) {
  const mode = useMode();
  const api = useApi();
  const list = usePages([mode, 'cards', { customer_id: customerId }], (cursor) =>
    bodyOf(api.GET('/v4/cards', { params: { query: { customer_id: customerId, cursor } } })),
  );
  return (
    <section aria-labelledby="cards-title">
      <Title order={2} size="h4" id="cards-title" mb="xs">
        Cards
      </Title>
      <PagedTable
        caption="Cards of the customer"
        list={list}
        keyOf={({ id }) => id ?? ''}
        empty="They hold no card yet: Issue a card."
        columns={CARD_COLUMNS}
      />
    </section>
  );
}

function Uses({ customerId }: { customerId: string }) {
  const mode = useMode();
  const livemode = useLivemode();
  const list = usePages([mode, 'card-transactions', { customer_id: customerId }], (cursor) =>
    bodyOf(
      dashboardApi.GET('/card-transactions', { params: { query: { livemode, customer_id: customerId, cursor } } }),
    ),
  );
  return (
    <section aria-labelledby="uses-title">
      <Title order={2} size="h4" id="uses-title" mb="xs">
        Card transactions
      </Title>
      <PagedTable
        caption="Card transactions of the customer"
        list={list}
        keyOf={({ id }) => id}
        empty="None of their cards was used yet."
        columns={USE_COLUMNS}
      />
    </section>
  );
}
