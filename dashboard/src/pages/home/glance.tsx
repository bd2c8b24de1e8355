import { Card, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { AnchorLink } from '../../ui/links';
import { useMode } from '../../ui/use-mode';

type Overview = DashboardSchemas['Overview'];

export function UnderWay({ counts }: { counts: Overview['under_way'] }) {
  const mode = useMode();
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        Under way
      </Text>
      <dl className="counts">
        {(['pending', 'processing'] as const).map((status) => (
          <Fragment key={status}>
            <dt>
              <AnchorLink to="/$mode/transactions" params={{ mode }} search={{ status }}>
                Transactions {status}
              </AnchorLink>
            </dt>
            <dd>{counts[status].toLocaleString('en')}</dd>
          </Fragment>
        ))}
        <dt>Transactions for review</dt>
        <dd>{counts.transactions_in_review.toLocaleString('en')}</dd>
        <dt>Payments for review</dt>
        <dd>{counts.payments_in_review.toLocaleString('en')}</dd>
      </dl>
    </Card>
  );
}

export function Success({
  rate,
  before,
  failures,
}: {
  rate: number | null;
  before: number | null;
  failures: Overview['failures'];
}) {
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        Purchases that succeeded, of those that ended
      </Text>
      <span className="balance">{rateText(rate)}</span>
      {before !== null && <Text size="sm">{rateText(before)} before</Text>}
      {failures.length > 0 && (
        <dl className="counts reasons">
          {failures.map(({ code, count }) => (
            <Fragment key={code}>
              <dt>{code.replaceAll('_', ' ')}</dt>
              <dd>{count.toLocaleString('en')}</dd>
            </Fragment>
          ))}
        </dl>
      )}
    </Card>
  );
}

const rateText = (rate: number | null): string => (rate === null ? '–' : `${(rate * 100).toFixed(1)} %`);

export function Webhooks({ webhooks: { endpoints, failing, disabled, waiting } }: { webhooks: Overview['webhooks'] }) {
  const mode = useMode();
  const counts = { Endpoints: endpoints, 'Failing now': failing, 'Disabled after failures': disabled };
  return (
    <Card withBorder>
      <Text size="sm" c="dimmed">
        <AnchorLink to="/$mode/webhooks" params={{ mode }}>
          Webhooks
        </AnchorLink>
      </Text>
      <dl className="counts">
        {Object.entries({ ...counts, 'Deliveries that did not arrive yet': waiting }).map(([name, count]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{count.toLocaleString('en')}</dd>
          </Fragment>
        ))}
      </dl>
    </Card>
  );
}
