import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readAgain } from '../queries';
import { useStepUp } from '../session/step-up';
import { useSay } from './announcer';

/** Something that a person does: asks for the password where needed, says that it is done, and reads everything shown anew. */
export function useAction<Input, Output>(
  work: (input: Input) => Promise<Output>,
  done?: string | ((output: Output) => string),
) {
  const queries = useQueryClient();
  const say = useSay();
  const guarded = useStepUp();
  return useMutation({
    mutationFn: (input: Input) => guarded(() => work(input)),
    onSuccess: (output) => {
      if (done) say(typeof done === 'string' ? done : done(output));
      // Not awaited: what was done is done, whatever the lists take.
      readAgain(queries);
    },
  });
}
