import { useMutation } from '@tanstack/react-query';
import { useStepUp } from '../session/step-up';

/** Something that a person has the service look at before it is done. It changes nothing that is shown. */
export function useCheck<Input, Output>(look: (input: Input) => Promise<Output>) {
  const guarded = useStepUp();
  return useMutation({ mutationFn: (input: Input) => guarded(() => look(input)) });
}
