import '../core/process/require-node';
import { Command } from 'commander';
import { type Lifetime, runProcess } from '../core/process/lifetime';
import { accountCommands, liveCommands } from './accounts';
import { apiCommands } from './api';
import { billerCommands, catalogueCommands } from './catalogue';
import { capacityCommands } from './capacity';
import { cardCommands, customerCommands } from './cards';
import { cellCommands } from './cells';
import { NothingToDo, onUsageError } from './commands';
import { depositCommands } from './deposits';
import { disputeCommands } from './disputes';
import { envCommands } from './env';
import { extensionCommands } from './extensions';
import { kycCommands } from './kyc';
import { keyCommands, platformKeyCommands } from './keys';
import { newCommands } from './new';
import { paymentCommands } from './payments';
import { refundCommands } from './refunds';
import { payoutCommands } from './payouts';
import { providerCommands, reconciliationCommands } from './providers';
import { purchaseCommands } from './purchases';
import { rateCommands } from './rates';
import { secretsCommands } from './secrets';
import { userCommands } from './users';
import { verifyCommands } from './books';
import { walletCommands } from './wallets';
import { webhookCommands } from './webhooks';

const GROUPS = [
  accountCommands,
  liveCommands,
  userCommands,
  keyCommands,
  platformKeyCommands,
  walletCommands,
  catalogueCommands,
  cellCommands,
  billerCommands,
  providerCommands,
  reconciliationCommands,
  purchaseCommands,
  cardCommands,
  customerCommands,
  kycCommands,
  paymentCommands,
  refundCommands,
  disputeCommands,
  depositCommands,
  payoutCommands,
  rateCommands,
  webhookCommands,
  verifyCommands,
  secretsCommands,
  envCommands,
  capacityCommands,
  newCommands,
  extensionCommands,
  apiCommands,
];

/** `npm run duka -- <words>`: what an operator does, on a server or on the sandbox. */
export async function duka(lifetime: Lifetime, words: readonly string[]): Promise<void> {
  const program = new Command('duka').description('Operate Duka.').exitOverride(onUsageError);
  for (const command of GROUPS.flatMap((group) => group(lifetime))) program.addCommand(command);
  await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
    if (!(error instanceof NothingToDo)) throw error;
    return lifetime.end(error.exitCode);
  });
}

if (require.main === module) runProcess((lifetime) => duka(lifetime, process.argv.slice(2)));
