import type { Lifetime } from '../core/process/lifetime';
import { BillerSwitchService } from '../modules/bills/biller-switch.service';
import { DukaCommand } from './commands';
import { name } from './option-values';

export const billerCommands = (lifetime: Lifetime): DukaCommand[] => [
  switchCommand(lifetime, 'biller:enable', true, 'accept payments to a biller, and tell every account'),
  switchCommand(
    lifetime,
    'biller:disable',
    false,
    'refuse payments to a biller until it is enabled, and tell every account',
  ),
];

function switchCommand(lifetime: Lifetime, command: string, enabled: boolean, description: string): DukaCommand {
  return new DukaCommand(command, lifetime)
    .description(description)
    .requiredOption('--biller <code>', 'the biller, as GET /v4/bills/billers calls it', name)
    .does<{ biller: string }>(async (session, options) => {
      const { biller, isChanged } = await (
        await session.app()
      )
        .get(BillerSwitchService, { strict: false })
        .setEnabled(options.biller, enabled);
      const state = enabled ? 'can be paid' : 'cannot be paid';
      const text = isChanged
        ? `${biller.name} ${state} from now on.`
        : `${biller.name} ${state} already: nothing was changed.`;
      return { text, json: { biller_code: biller.code, enabled, changed: isChanged } };
    });
}
