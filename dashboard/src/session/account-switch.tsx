import { UnstyledButton } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { OnceOpened } from '../ui/once-opened';
import { useMe } from './session';

const AccountDialog = lazy(() => import('./account-dialog'));

/** The account that is shown, and the way to the person's others. */
export function AccountSwitch() {
  const { account } = useMe();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <UnstyledButton
        className="account-switch"
        aria-haspopup="dialog"
        aria-label={`${account.name}: change the account`}
        title={account.name}
        onClick={() => setOpened(true)}
      >
        <span className="account-name">{account.name}</span>
        <IconSelector size={16} stroke={1.6} aria-hidden="true" />
      </UnstyledButton>
      <OnceOpened opened={opened}>
        <AccountDialog opened={opened} onClose={() => setOpened(false)} />
      </OnceOpened>
    </>
  );
}
