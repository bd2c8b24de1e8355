import { createContext, lazy, type ReactNode, useCallback, useContext, useState } from 'react';
import { Problem } from '../api/problem';
import { OnceOpened } from '../ui/once-opened';

const StepUpDialog = lazy(() => import('./step-up-dialog'));

type Guarded = <Result>(work: () => Promise<Result>) => Promise<Result>;
const StepUp = createContext<Guarded>((work) => work());

/** Runs work; when the service wants the password again for it, asks the person and runs it once more. */
export const useStepUp = () => useContext(StepUp);

interface Asked {
  readonly passed: () => void;
  readonly refused: () => void;
}

export function StepUpProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const guarded = useCallback<Guarded>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'step_up_required') throw error;
      await new Promise<void>((resolve, reject) => setAsked({ passed: resolve, refused: () => reject(error) }));
      return work();
    }
  }, []);
  const close = () => {
    asked?.refused();
    setAsked(null);
  };
  const pass = () => {
    asked?.passed();
    setAsked(null);
  };
  return (
    <StepUp value={guarded}>
      {children}
      <OnceOpened opened={asked !== null}>
        <StepUpDialog opened={asked !== null} onPassed={pass} onCancel={close} />
      </OnceOpened>
    </StepUp>
  );
}
