import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useStepUp } from '../../session/step-up';
import { ProblemAlert } from '../../ui/problem-alert';
import { useApi, useMode } from '../../ui/use-mode';
import type { Bank } from './bank-picker';

/** As long as the bank's answer is good at the service. */
const GOOD_MS = 600_000;

export interface BankAccount {
  readonly bank: Bank | null;
  readonly number: string;
}

/** Whether the bank has account numbers of that form. */
export const isNumberOf = ({ bank, number }: BankAccount): boolean =>
  bank !== null && new RegExp(bank.account_pattern).test(number);

/** What the bank says whose account it is, asked as soon as the number is whole. */
export function useAccountName(account: BankAccount) {
  const mode = useMode();
  const api = useApi();
  const guarded = useStepUp();
  const body = { bank_code: account.bank?.code ?? '', account_number: account.number };
  return useQuery({
    queryKey: [mode, 'account name', body],
    queryFn: () => guarded(() => bodyOf(api.POST('/v4/banks/resolve', { body }))),
    enabled: isNumberOf(account),
    staleTime: GOOD_MS,
    retry: false,
  });
}

type Asked = Pick<ReturnType<typeof useAccountName>, 'data' | 'error' | 'isFetching'>;

/** The name of whoever would be paid, before anything is sent. */
export function AccountName({ asked: { data, error, isFetching } }: { asked: Asked }) {
  if (isFetching && !data) return <Text size="sm">Asking the bank whose account it is…</Text>;
  if (error) return <ProblemAlert error={error} />;
  return data ? <NameAlert name={data} /> : null;
}

const NameAlert = ({ name }: { name: Schemas['BankResolution'] }) => (
  <Alert role="status" variant="outline" color="teal" title={name.account_name}>
    That is whose account it is, as the bank says.
  </Alert>
);
