import { Stack, Text } from '@mantine/core';
import { useMe } from '../../../session/session';
import { CopyField } from '../../../ui/copy-field';
import { AnchorLink } from '../../../ui/links';
import { useMode } from '../../../ui/use-mode';
import { InCell } from '../in-cell';
import type { PlatformAccount } from './account-columns';

/**
 * What the login of this process has no right to: live mode, freezes and tiers are ordered as the owner of the database,
 * by a command or a key of the operators' own API. Here they are written out.
 */
export function AccountOrders({ account: { id, live_enabled, freeze } }: { account: PlatformAccount }) {
  const mode = useMode();
  const { user } = useMe();
  const order = (command: string, more = '') =>
    `npm run duka -- ${command} --account ${id}${more} --person ${user.email} --reason '…'`;
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        What these pages run as may change neither live mode nor freezes nor tiers: whoever takes them over could else
        open live mode for themselves. They are ordered by a command, or with a key of the operators' own API.
        <InCell />
      </Text>
      {live_enabled ? (
        <CopyField label="Close live mode, and stop its live keys" value={order('account:disable-live')} />
      ) : (
        <>
          <CopyField label="Enable live mode" value={order('account:enable-live')} />
          <Text size="sm">
            It is refused until{' '}
            <AnchorLink to="/$mode/going-live" params={{ mode }}>
              the checklist
            </AnchorLink>{' '}
            is ready.
          </Text>
        </>
      )}
      {freeze === null ? (
        <CopyField label="Freeze all its wallets and cards" value={order('account:freeze', ' --direction both')} />
      ) : (
        <CopyField label="Let its money move again" value={order('account:unfreeze')} />
      )}
    </Stack>
  );
}
