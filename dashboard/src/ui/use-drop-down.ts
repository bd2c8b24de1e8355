import { useClickOutside, useDisclosure, useWindowEvent } from '@mantine/hooks';

/** What a button opens below it: closed with Escape, which goes back to the button, or a click beside the whole. */
export function useDropDown() {
  const [opened, { toggle, close }] = useDisclosure();
  const whole = useClickOutside<HTMLDivElement>(close);
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !opened) return;
    close();
    whole.current?.querySelector('button')?.focus();
  });
  return { opened, toggle, whole };
}
