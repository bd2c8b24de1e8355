import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { Loading } from '../../../ui/data-table';
import { AnchorLink } from '../../../ui/links';
import { PageHead } from '../../../ui/page-head';
import { ProblemAlert } from '../../../ui/problem-alert';
import { useFilters } from '../../../ui/use-filters';
import { ModeChoice } from '../mode-choice';
import { Billers } from './billers';
import { Networks } from './networks';
import { Plans } from './plans';

const LISTS = [
  { list: 'plans', label: 'Data plans' },
  { list: 'networks', label: 'Airtime' },
  { list: 'billers', label: 'Billers' },
] as const;

/** What is sold, by whom it is delivered, and whether that can be now. */
export function CataloguePage() {
  const operators = useOperators();
  const { list: word, of } = useFilters();
  const list = LISTS.find((one) => one.list === word)?.list ?? 'plans';
  const livemode = of !== 'test';
  const facts = useQuery({
    queryKey: [...operators.key, 'catalogue'],
    queryFn: () => bodyOf(operators.api.GET('/operators/catalogue')),
  });
  return (
    <>
      <PageHead title="Catalogue">
        <nav className="segments" aria-label="What is sold">
          {LISTS.map((one) => (
            <AnchorLink
              key={one.list}
              to="."
              search={{ list: one.list, of } as never}
              aria-current={one.list === list ? 'true' : undefined}
              underline="never"
            >
              {one.label}
            </AnchorLink>
          ))}
        </nav>
        <ModeChoice of="providers" current={livemode ? 'live' : 'test'} search={{ list }} />
      </PageHead>
      <ProblemAlert error={facts.error} />
      {facts.isPending && <Loading label="catalogue" />}
      {facts.data && list === 'plans' && <Plans facts={facts.data} livemode={livemode} />}
      {facts.data && list === 'networks' && <Networks livemode={livemode} />}
      {facts.data && list === 'billers' && <Billers facts={facts.data} livemode={livemode} />}
    </>
  );
}
