import { type ReactNode, Suspense, useState } from 'react';

/** A dialog of a chunk of its own: there from its first opening on, so that it can also close. */
export function OnceOpened({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  return wasOpened ? <Suspense>{children}</Suspense> : null;
}
