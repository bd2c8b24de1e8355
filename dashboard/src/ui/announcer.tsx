import { Notification } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';

const SHOWN_MS = 6_000;
const Say = createContext<(message: string) => void>(() => undefined);

/** Tells a person, also one who listens, that something was done. */
export const useSay = () => useContext(Say);

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<{ message: string; at: number } | null>(null);
  const say = useCallback((message: string) => setSaid({ message, at: Date.now() }), []);
  useEffect(() => {
    const timer = said ? setTimeout(() => setSaid(null), SHOWN_MS) : undefined;
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <Say value={say}>
      {children}
      <div className="announcer" role="status" aria-live="polite">
        {said && (
          <Notification
            withBorder
            color="teal"
            onClose={() => setSaid(null)}
            closeButtonProps={{ 'aria-label': 'Close this message' }}
          >
            {said.message}
          </Notification>
        )}
      </div>
    </Say>
  );
}
