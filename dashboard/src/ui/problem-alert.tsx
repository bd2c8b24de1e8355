import { Alert, List, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { messageOf, Problem } from '../api/problem';
import { meQuery } from '../session/session';

const OtherMode = lazy(() => import('../shell/other-mode'));

/** What went wrong, in words, with what support needs to find it. */
export function ProblemAlert({ error }: { error: unknown }) {
  const me = useQueryClient().getQueryData(meQuery.queryKey);
  if (!error) return null;
  const problem = error instanceof Problem ? error : null;
  const isElsewhere = problem?.status === 404 && me !== undefined && me.accounts.length > 1;
  return (
    <Alert role="alert" color="red" variant="outline" title={messageOf(error)}>
      {problem && problem.fields.length > 0 && (
        <List size="sm">
          {problem.fields.map(({ param, detail }) => (
            <List.Item key={`${param} ${detail}`}>
              {param && <code>{param}</code>} {detail}
            </List.Item>
          ))}
        </List>
      )}
      <Suspense fallback={null}>{problem?.status === 404 && <OtherMode />}</Suspense>
      {isElsewhere && (
        <Text size="sm">
          It is not in {me.account.name}. If it is of another account of yours, go there first: its name is above.
        </Text>
      )}
      {problem && (
        <Text size="xs" c="dimmed">
          <a href={`/docs/errors#${problem.code}`}>{problem.code}</a>
          {problem.requestId && ` · ${problem.requestId}`}
        </Text>
      )}
    </Alert>
  );
}
