import '../core/process/require-node';
import { Command } from 'commander';
import { runProcess } from '../core/process/lifetime';
import { accountCommands } from './account-commands';
import { apiCommands } from './api-commands';
import { billerCommands } from './biller-commands';
import { cardCommands } from './card-commands';
import { catalogueCommands } from './catalogue-commands';
import { onUsageError } from './commands';
import { customerCommands } from './customer-commands';
import { extensionCommands } from './extension-commands';
import { keyCommands } from './key-commands';
import { paymentCommands } from './payment-commands';
import { platformKeyCommands } from './platform-key-commands';
import { purchaseCommands } from './purchase-commands';
import { secretsCommands } from './secrets-command';
import { userCommands } from './user-commands';
import { verifyCommands } from './verify-command';
import { walletCommands } from './wallet-commands';
import { webhookCommands } from './webhook-commands';

// `npm run duka -- <command>`: what an operator does, on a server or on the sandbox.
runProcess(async (lifetime) => {
  const program = new Command('duka').description('Operate Duka.').exitOverride(onUsageError);
  const groups = [
    accountCommands,
    userCommands,
    keyCommands,
    platformKeyCommands,
    walletCommands,
    catalogueCommands,
    billerCommands,
    purchaseCommands,
    cardCommands,
    customerCommands,
    paymentCommands,
    webhookCommands,
    verifyCommands,
    secretsCommands,
    extensionCommands,
    apiCommands,
  ];
  for (const command of groups.flatMap((group) => group(lifetime))) program.addCommand(command);
  await program.parseAsync();
});
