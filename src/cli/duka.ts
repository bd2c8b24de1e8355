import '../core/process/require-node';
import { Command } from 'commander';
import { runProcess } from '../core/process/lifetime';
import { accountCommands } from './accounts';
import { apiCommands } from './api';
import { billerCommands, catalogueCommands } from './catalogue';
import { cardCommands, customerCommands } from './cards';
import { onUsageError } from './commands';
import { envCommands } from './env';
import { extensionCommands } from './extensions';
import { keyCommands, platformKeyCommands } from './keys';
import { newCommands } from './new';
import { paymentCommands } from './payments';
import { purchaseCommands } from './purchases';
import { secretsCommands } from './secrets';
import { userCommands } from './users';
import { verifyCommands } from './books';
import { walletCommands } from './wallets';
import { webhookCommands } from './webhooks';

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
    envCommands,
    newCommands,
    extensionCommands,
    apiCommands,
  ];
  for (const command of groups.flatMap((group) => group(lifetime))) program.addCommand(command);
  await program.parseAsync();
});
