import { useNavigate, useSearch } from '@tanstack/react-router';

type Search = Readonly<Record<string, string | undefined>>;

/** Whether the form for something new is open: it has an address, `?new=1`. */
export function useNewForm() {
  const { new: wanted }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (value: string | undefined) =>
    void navigate({ to: '.', replace: true, search: ((before: Search) => ({ ...before, new: value })) as never });
  return [wanted === '1', { open: () => show('1'), close: () => show(undefined) }] as const;
}
