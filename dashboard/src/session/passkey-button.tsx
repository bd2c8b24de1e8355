import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';

/** Browsers know passkeys on safe pages, under a name. */
export const knowsPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(location.hostname);

interface PasskeyButtonProps extends ButtonProps {
  readonly label: string;
  /** Log in, or prove once more who is logged in. */
  readonly act: 'logInWithPasskey' | 'stepUpWithPasskey';
  readonly onPassed: () => void;
  readonly onRefused: (error: unknown) => void;
}

/** Asks a device. What it takes is loaded when somebody presses it. */
export function PasskeyButton({ label, act, onPassed, onRefused, ...button }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false);
  async function ask() {
    setBusy(true);
    onRefused(null);
    try {
      const passkeys = await import('./passkeys');
      await passkeys[act]();
      onPassed();
    } catch (error) {
      onRefused(error);
      setBusy(false);
    }
  }
  if (!knowsPasskeys()) return null;
  return (
    <Button variant="default" loading={busy} onClick={ask} {...button}>
      {label}
    </Button>
  );
}
