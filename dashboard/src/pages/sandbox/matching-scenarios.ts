import type { Schemas } from '../../api/public-api';

export const endText = ({ status, failure_code, error_code }: Schemas['ScenarioEnd']): string =>
  [status ?? 'refused', failure_code ?? error_code].filter(Boolean).join(': ');

/** The magic values in whose words a text occurs; those of the header as they are sent. */
export function matching(scenarios: Schemas['SandboxScenarios'], text: string) {
  const sought = text.trim().toLowerCase();
  const isWanted = (...words: readonly unknown[]) => words.join(' ').toLowerCase().includes(sought);
  const headerRuns = scenarios.header.outcomes.flatMap(({ outcome, description, then_values }) =>
    (then_values.length > 0 ? then_values : [null]).map((then) => ({
      value: then === null ? `outcome=${outcome}` : `outcome=${outcome}; then=${then}`,
      description,
    })),
  );
  return {
    outcomes: scenarios.phones.outcomes.filter(({ phone, description, final }) =>
      isWanted(phone, description, endText(final)),
    ),
    headerRuns: headerRuns.filter(({ value, description }) => isWanted(value, description)),
    customers: scenarios.bill_customers.filter(({ customer_identifier, categories, description, final }) =>
      isWanted(customer_identifier, categories, description, endText(final)),
    ),
    payments: scenarios.payments.filter(({ outcome, description, final }) =>
      isWanted(outcome, description, final.status),
    ),
    cardholders: scenarios.cardholders.filter(({ last_name, description, status, failure_code }) =>
      isWanted(last_name, description, status, failure_code),
    ),
  };
}
