import { InvalidArgumentError, Option } from 'commander';
import { encodeId } from '../core/http/ids';
import { publicUrl } from '../core/http/request-context';
import type { Lifetime } from '../core/process/lifetime';
import { AccountsService } from '../modules/accounts/accounts.service';
import { PeopleService } from '../modules/dashboard-api/people.service';
import { type Role, ROLES } from '../modules/dashboard-api/roles';
import { SecurityService } from '../modules/dashboard-api/security.service';
import { TeamService } from '../modules/dashboard-api/team.service';
import { OperatorAccounts } from '../modules/platform/operator-accounts.service';
import { DukaCommand } from './commands';
import { asOperator, idOf, name, type Orderer, orderOf, typedOrder } from './options';

interface InviteOptions {
  account: string;
  email: string;
  name: string;
  role: Role;
}

function email(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new InvalidArgumentError('It is no e-mail address.');
  return text;
}

export const userCommands = (lifetime: Lifetime): DukaCommand[] => [
  new DukaCommand('user:invite', lifetime)
    .description('invite somebody to the dashboard of an account; the link is shown this once')
    .requiredOption('--account <id>', 'whose dashboard (acct_…)', idOf('acct'))
    .requiredOption('--email <address>', 'with which they will log in', email)
    .requiredOption('--name <name>', 'who it is', name)
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).default('owner'))
    .does<InviteOptions>(async (session, options) => {
      const app = await session.app();
      const account = await app.get(AccountsService).require(options.account);
      const { member, token } = await app.get(TeamService).add(account, options, 'Whoever runs the service');
      const url = `${publicUrl(session.env)}/dashboard/invite?token=${token}`;
      const json = { id: encodeId('mem', member.id), email: member.email, role: member.role, invite_url: url };
      return { text: `Invitation  ${url}\n\nIt is good for 7 days, once.`, json };
    }),

  asOperator(new DukaCommand('user:operator', lifetime))
    .description('let somebody look after the platform from the dashboard: provider health, routes, fees; or no longer')
    .requiredOption('--email <address>', 'with which they log in', email)
    .option('--revoke', 'they may no longer', false)
    .does<{ email: string; revoke: boolean } & Orderer>(async (session, { email: address, revoke, ...by }) => {
      const app = await session.app('owner');
      // Nobody can vouch for the first one.
      const order = (await app.get(PeopleService).hasOperators()) ? await orderOf(app, by) : typedOrder(by);
      const user = await app.get(OperatorAccounts).setOperator(order, address, !revoke);
      return {
        text: revoke ? 'They are no operator any more.' : 'They are an operator from their next request on.',
        json: { email: user.email, operator: user.operator },
      };
    }),

  new DukaCommand('user:recover', lifetime)
    .description('a new password for somebody who lost theirs; ends their sessions and turns one-time codes off')
    .requiredOption('--email <address>', 'with which they log in', email)
    .does<{ email: string }>(async (session, options) => {
      const password = await (await session.app()).get(SecurityService).recover(options.email);
      return {
        text: `Password  ${password}\n\nThey should change it at once.`,
        json: { email: options.email, password },
      };
    }),
];
