import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { NotSent, Problem } from '../api/problem';
import { attemptKey, bodyOf, type Schemas } from '../api/public-api';
import { readAgain } from '../queries';
import { useMe } from '../session/session';
import { useAction } from './use-action';
import { useApi, useMode } from './use-mode';

const ASKED_AGAIN_MS = 2_000;

/** What became of something whose answer got lost; `unknown` as long as the service cannot be asked. */
export type Fate = 'unknown' | Schemas['Resend']['status'];

/** With these the service does not say what it did, nor does a gateway on the way with a failure of its own. */
const NO_ANSWER = /^(internal_error|service_unavailable|http_5\d\d)$/;

const isAnswer = (error: unknown): boolean =>
  error instanceof NotSent || (error instanceof Problem && !NO_ANSWER.test(error.code));

/**
 * Something that must be done once per intention of a person, however often they press. `name` says what is meant: its key is
 * kept, also when the page is loaded anew, until the service has answered, and after a lost answer the service is asked what
 * became of it. `send` is to pass the key on. No name: sending it twice changes nothing, so there is nothing to be asked.
 */
export function useSending<Input, Output>(
  name: string | null,
  send: (input: Input, key: string) => Promise<Output>,
  done?: string | ((output: Output) => string),
) {
  const api = useApi();
  const mode = useMode();
  const queries = useQueryClient();
  // A key is its account's: another one, in this tab after it, is told nothing of it, and takes nothing away.
  const { account } = useMe();
  const place = `sending ${account.id} ${mode} ${name}`;
  const [lost, setLost] = useState(() => (name === null ? null : sessionStorage.getItem(place)));
  const answered = () => {
    sessionStorage.removeItem(place);
    setLost(null);
  };
  const action = useAction(async (input: Input) => {
    const known = sessionStorage.getItem(place);
    const key = known ?? attemptKey();
    sessionStorage.setItem(place, key);
    try {
      const output = await send(input, key);
      answered();
      return output;
    } catch (error) {
      // A refusal of the second attempt says nothing about the first, which may still come through.
      if (name === null || (isAnswer(error) && known === null)) answered();
      else setLost(key);
      throw error;
    }
  }, done);
  const lookUp = useQuery({
    queryKey: ['sending', mode, lost],
    queryFn: () => bodyOf(api.GET('/v4/idempotency/{key}', { params: { path: { key: lost ?? '' } } })),
    enabled: lost !== null && !action.isPending,
    refetchInterval: ({ state }) => (state.data?.status === 'completed' ? false : ASKED_AGAIN_MS),
    networkMode: 'always',
    retry: false,
    gcTime: 0,
  });
  const fate: Fate | null = lost === null ? null : lookUp.isError ? 'unknown' : (lookUp.data?.status ?? 'unknown');
  const isDone = fate === 'completed';
  useEffect(() => {
    if (isDone) readAgain(queries, ({ queryKey }) => queryKey[0] !== 'sending');
  }, [isDone, queries]);
  return {
    ...action,
    fate,
    /** What it made, as far as the service shows it. */
    found: lookUp.data?.resource ?? null,
    /** For the button that sends: pressing again is either in vain or a mistake. */
    button: { loading: action.isPending || fate === 'in_progress', disabled: isDone },
    /** The person has read what became of it. */
    acknowledge() {
      answered();
      action.reset();
    },
  };
}

export type Sending = Pick<ReturnType<typeof useSending>, 'error' | 'fate' | 'found' | 'acknowledge'>;
