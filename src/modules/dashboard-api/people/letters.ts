import { type Letter, plainName } from '../../../core/mail/letter';
import type { Role } from '../roles';

/** The link carries its token behind `#`: browsers send that to no server, so it is in no log. */
export const resetLetter = (token: string): Letter => ({
  subject: 'Choose a new password',
  paragraphs: [
    'Somebody asked for a new password for your account at the dashboard. This link is good once, for 30 minutes.',
    'Was it not you? Then there is nothing to do: your password stays as it is.',
  ],
  link: { label: 'Choose a new password', path: `/dashboard/reset-password#token=${token}` },
});

export const PASSWORD_CHANGED: Letter = {
  subject: 'Your password was changed',
  paragraphs: [
    'The password of your account at the dashboard was changed just now. Browsers that were signed in log in again.',
    'Was it not you? Then ask for a new password at once ("Forgot your password?" at the log-in), and tell your team.',
  ],
  link: { label: 'Log in', path: '/dashboard/log-in' },
};

export const inviteLetter = (inviter: string, account: string, role: Role, token: string): Letter => ({
  subject: 'You are invited to a team',
  paragraphs: [
    `${plainName(inviter) || 'Somebody'} invites you to the team of ${plainName(account) || 'an account'} as ${role}.`,
    'This link is good once, for 7 days. Do you not expect it? Then there is nothing to do.',
  ],
  link: { label: 'Join the team', path: `/dashboard/invite?token=${token}` },
});

export const passkeyAddedLetter = (name: string): Letter => ({
  subject: 'A passkey was added',
  paragraphs: [
    `A passkey was added to your log-in at the dashboard just now: ${plainName(name) || 'without a name'}.`,
    'Whoever has its device can log in as you. Was it not you? Then remove it at once, and change your password.',
  ],
  link: { label: 'See your passkeys', path: '/dashboard/test/security' },
});
