import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { CopyButton } from './copy-button';
import { useMode } from './use-mode';

type Html<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> };

export const AnchorLink = createLink(({ ref, ...props }: Html<AnchorProps>) => <Anchor ref={ref} {...props} />);
export const ButtonLink = createLink(({ ref, ...props }: Html<ButtonProps>) => (
  <Button component="a" ref={ref} {...props} />
));
export const NavLinkItem = createLink(({ ref, ...props }: Html<NavLinkProps>) => (
  <NavLink component="a" ref={ref} {...props} />
));

/** Where an id leads, by its prefix. */
const PAGES = {
  txn: '/$mode/transactions/$id',
  wal: '/$mode/wallets/$id',
  evt: '/$mode/events/$id',
  dlv: '/$mode/deliveries/$id',
  whk: '/$mode/webhooks/$id',
  crd: '/$mode/cards/$id',
  pay: '/$mode/payments/$id',
  req: '/$mode/requests/$id',
  bat: '/$mode/batches/$id',
  vac: '/$mode/virtual-accounts/$id',
  ctx: '/$mode/card-transactions/$id',
  rfd: '/$mode/stories/$id',
  dsp: '/$mode/cards/disputes/$id',
  cus: '/$mode/cards/customers/$id',
  cnv: '/$mode/stories/$id',
  trf: '/$mode/stories/$id',
  dep: '/$mode/stories/$id',
} as const;

/** The page of an id, as a path with its parameters; undefined: it has none. */
export const pageOf = (id: string): (typeof PAGES)[keyof typeof PAGES] | undefined =>
  id[3] === '_' ? PAGES[id.slice(0, 3) as keyof typeof PAGES] : undefined;

/** An id, as a link to its page when it has one, and with a button that copies it. */
export function IdLink({ id }: { id: string | null | undefined }) {
  const mode = useMode();
  if (!id) return <>–</>;
  const to = pageOf(id);
  return (
    <span className="id-copy">
      {to ? (
        <AnchorLink className="id" to={to} params={{ mode, id }}>
          <IdParts id={id} />
        </AnchorLink>
      ) : (
        <span className="id">
          <IdParts id={id} />
        </span>
      )}
      <CopyButton value={id} label={id} />
    </span>
  );
}

const TAIL = 6;

/** Where there is little room, the middle of an id gives way: its kind and its end tell it from others. */
function IdParts({ id }: { id: string }) {
  return (
    <span className="id-parts" title={id}>
      <span className="id-head">{id.slice(0, -TAIL)}</span>
      <span>{id.slice(-TAIL)}</span>
    </span>
  );
}
