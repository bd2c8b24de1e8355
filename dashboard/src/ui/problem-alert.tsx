import { Alert, List, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { messageOf, Problem } from '../api/problem';

const OtherMode = lazy(() => import('../shell/other-mode'));

/** What went wrong, in words, with what support needs to find it. */
export function ProblemAlert({ error }: { error: unknown }) {
  if (!error) return null;
  const problem = error instanceof Problem ? error : null;
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
      {problem && (
        <Text size="xs" c="dimmed">
          <a href={`/docs/errors#${problem.code}`}>{problem.code}</a>
          {problem.requestId && ` · ${problem.requestId}`}
        </Text>
      )}
    </Alert>
  );
}
